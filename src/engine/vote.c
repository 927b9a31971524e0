#include "engine/vote.h"

#include "base/check.h"
#include "engine/tune.h"

/* A helper that was lent a moment ago has seen little: its vote does not count. */
static bool is_counted(const struct vote *votes, unsigned index)
{
    const struct vote *vote = &votes[index];
    return vote->depth > 0 && vote->move != MOVE_NONE &&
           vote->depth + TUNE_VOTE_BEHIND_MAX >= votes[0].depth && vote->score > -SCORE_TB_BOUND;
}

static int64_t weight(const struct vote *vote, score_t worst)
{
    return (int64_t)(vote->score - worst + TUNE_VOTE_LEAST) * vote->depth;
}

/* All that was voted for the move of votes[index]. */
static int64_t support(const struct vote *votes, unsigned count, unsigned index, score_t worst)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < count; i++)
        if (is_counted(votes, i) && votes[i].move == votes[index].move)
            sum += weight(&votes[i], worst);
    return sum;
}

unsigned vote_winner(const struct vote *votes, unsigned count)
{
    ASSERT(count > 0);
    if (!is_counted(votes, 0))
        return 0;
    score_t worst = votes[0].score;
    unsigned highest = 0;
    for (unsigned i = 1; i < count; i++) {
        if (!is_counted(votes, i))
            continue;
        if (votes[i].score < worst)
            worst = votes[i].score;
        if (votes[i].score > votes[highest].score)
            highest = i;
    }
    if (votes[highest].score >= SCORE_TB_BOUND)
        return highest;

    unsigned winner = 0;
    int64_t winner_support = support(votes, count, 0, worst);
    for (unsigned i = 1; i < count; i++) {
        if (!is_counted(votes, i))
            continue;
        const int64_t sum = support(votes, count, i, worst);
        const bool is_better_line = votes[i].move == votes[winner].move && winner != 0 &&
                                    weight(&votes[i], worst) > weight(&votes[winner], worst);
        if (sum > winner_support || is_better_line) {
            winner = i;
            winner_support = sum;
        }
    }
    return winner;
}
