/* A key is a move's score and, in its low byte, 255 less its index: one comparison of integers
 * finds the best move, the first generated among equals, and where it stands. Moves stay where they
 * were generated; a move that was given, or that an earlier stage gives, has KEY_TAKEN. So
 * selection is a maximum over an array of integers, which the compiler makes into vector code.
 *
 * Noisy moves are generated to the front of `moves`, quiet ones behind them. Whether a noisy move
 * is good is asked when its turn comes; bad ones wait in `bad` in the order they were found.
 *
 * Killers and the countermove are read when their stage begins, since the search below earlier
 * moves may have set better ones. They may be any 16 bits, as the table move may. One that has
 * mostly failed elsewhere waits among the other quiet moves. */
#include "engine/picker.h"

#include <limits.h>

#include "base/check.h"
#include "chess/see.h"
#include "engine/switches.h"
#include "engine/tune.h"

enum {
    INDEX_UNITS = 256, /* Scores stand above the index. */
    INDEX_MAX = INDEX_UNITS - 1,
    KEY_TAKEN = INT32_MIN,
    UNDERPROMOTION_SCORE = -32000, /* Below all else. */
    FAIR_BITS = 64,
    STAGE_UNITS = 1 << 18, /* Unstaged: stages stand above scores. */
    /* Of any values that rows can have. */
    CAPTURE_HISTORY_MAX = HISTORY_MAX * GREATEST_CAPTURE_HISTORY / 16,
    NOISY_SCORE_MAX = GREATEST_PROMOTION + GREATEST_VICTIM_QUEEN + GREATEST_SAFE_CAPTURE +
                      GREATEST_RECAPTURE + CAPTURE_HISTORY_MAX,
    NOISY_SCORE_MIN = -GREATEST_TAKER_KIND * KING - CAPTURE_HISTORY_MAX,
    QUIET_SCORE_MAX = HISTORY_SUM_MAX + GREATEST_THREAT_QUEEN + GREATEST_CHECK_BONUS
};

static_assert(MOVES_MAX <= INDEX_UNITS, "an index fits below the score");
static_assert((int64_t)(PICKER_DONE + 1) * STAGE_UNITS * INDEX_UNITS < INT32_MAX, "keys fit");
static_assert(NOISY_SCORE_MIN > UNDERPROMOTION_SCORE, "under-promotions come last");
static_assert(NOISY_SCORE_MAX < STAGE_UNITS / 2 && QUIET_SCORE_MAX < STAGE_UNITS / 2,
              "scores stand below stages");

/* What a victim is worth in ordering. */
static int32_t victim_score(kind_t kind)
{
    TUNE_ARRAY int32_t scores[KIND_COUNT] = {TUNE_VICTIM_PAWN,   TUNE_VICTIM_KNIGHT,
                                             TUNE_VICTIM_BISHOP, TUNE_VICTIM_ROOK,
                                             TUNE_VICTIM_QUEEN,  0};
    return scores[kind];
}

static int32_t key_make(int32_t score, unsigned index)
{
    return score * INDEX_UNITS + INDEX_MAX - (int32_t)index;
}

static unsigned key_index(int32_t key) { return INDEX_MAX - ((unsigned)key & INDEX_MAX); }

/* The best key in [begin, end), then taken; KEY_TAKEN when none is left. */
static int32_t keys_select(struct picker *picker)
{
    int32_t best = KEY_TAKEN;
    for (unsigned i = picker->begin; i < picker->end; i++)
        best = picker->keys[i] > best ? picker->keys[i] : best;
    if (best != KEY_TAKEN)
        picker->keys[key_index(best)] = KEY_TAKEN;
    return best;
}

static bool is_late_promotion(const struct picker *picker, move_t move)
{
    return move_is_promotion(move) && (move_promoted(move) != QUEEN ||
                                       !switch_is_on(picker->context->memory, SWITCH_PROMOTIONS));
}

/* Among equal victims: one that is taken for nothing, and the man that has just moved. What reaches
 * the victim's value reaches a threshold below it: that is kept for when its turn comes. */
static int32_t exchange_score(struct picker *picker, move_t move, piece_t captured, unsigned index)
{
    const int victim = see_value(piece_kind(captured));
    int32_t score = 0;
    if (!switch_is_on(picker->context->memory, SWITCH_SEE_ORDERING))
        return score;
    if (see_at_least(picker->position, move, victim)) {
        score += TUNE_SAFE_CAPTURE;
        if (victim >= picker->see_threshold && index < FAIR_BITS)
            picker->fair |= (uint64_t)1 << index;
    }
    if (picker->context->previous != MOVE_NONE &&
        move_to(move) == move_to(picker->context->previous))
        score += TUNE_RECAPTURE;
    return score;
}

static int32_t noisy_score(struct picker *picker, move_t move, unsigned index)
{
    const struct position *position = picker->position;
    struct memory *memory = picker->context->memory;
    if (is_late_promotion(picker, move))
        return UNDERPROMOTION_SCORE;
    int32_t score = move_is_promotion(move) ? TUNE_PROMOTION : 0;
    const piece_t captured = position_captured(position, move);
    if (captured != PIECE_NONE)
        score += exchange_score(picker, move, captured, index);
    if (switch_is_on(memory, SWITCH_MVV_LVA)) {
        if (captured != PIECE_NONE)
            score += victim_score(piece_kind(captured));
        score -= TUNE_TAKER_KIND * piece_kind(position->board[move_from(move)]);
    }
    return score + history_capture(memory, position, move) * TUNE_CAPTURE_HISTORY / 16;
}

static void noisy_prepare(struct picker *picker)
{
    const move_t *end = movegen_noisy(picker->position, picker->moves);
    picker->begin = 0;
    picker->end = (unsigned)(end - picker->moves);
    picker->fair = 0;
    for (unsigned i = 0; i < picker->end; i++) {
        const move_t move = picker->moves[i];
        picker->keys[i] =
            move == picker->table_move ? KEY_TAKEN : key_make(noisy_score(picker, move, i), i);
    }
}

static bool noisy_is_good(const struct picker *picker, move_t move)
{
    if (picker->noisy_only)
        return see_at_least(picker->position, move, picker->see_threshold);
    if (is_late_promotion(picker, move))
        return false;
    return !switch_is_on(picker->context->memory, SWITCH_SEE_ORDERING) ||
           see_at_least(picker->position, move, picker->see_threshold);
}

/* As noisy_is_good(), of the move at `index`, which has been scored. */
static bool scored_is_good(const struct picker *picker, move_t move, unsigned index)
{
    const bool is_fair = index < FAIR_BITS && (picker->fair >> index & 1) != 0;
    return is_fair || noisy_is_good(picker, move);
}

static move_t noisy_next(struct picker *picker)
{
    for (;;) {
        const int32_t key = keys_select(picker);
        if (key == KEY_TAKEN)
            return MOVE_NONE;
        const unsigned index = key_index(key);
        const move_t move = picker->moves[index];
        if (scored_is_good(picker, move, index))
            return move;
        picker->bad[picker->bad_count++] = (uint8_t)index;
    }
}

/* Generated moves are legal; one that comes from elsewhere is, if this says so. */
static bool is_playable(const struct picker *picker, move_t move)
{
    return move != MOVE_NONE && position_is_pseudo_legal(picker->position, move) &&
           position_is_legal(picker->position, move);
}

/* Whether the stages would give the table move, so that it may come first. */
static bool table_move_stands(const struct picker *picker)
{
    const move_t move = picker->table_move;
    if (move == MOVE_NONE || (!move_is_noisy(move) && (picker->noisy_only || picker->skip_quiets)))
        return false;
    return is_playable(picker, move) &&
           (!picker->noisy_only || see_at_least(picker->position, move, picker->see_threshold));
}

static void refutations_load(struct picker *picker)
{
    const struct history_context *context = picker->context;
    const struct memory *memory = context->memory;
    picker->killers[0] = picker->killers[1] = picker->countermove = MOVE_NONE;
    if (switch_is_on(memory, SWITCH_KILLERS)) {
        picker->killers[0] = memory->killers[context->ply][0];
        picker->killers[1] = memory->killers[context->ply][1];
    }
    if (context->previous != MOVE_NONE && switch_is_on(memory, SWITCH_COUNTERMOVES))
        picker->countermove =
            memory->countermoves[context->previous_piece][move_to(context->previous)];
    if (picker->killers[1] == picker->killers[0])
        picker->killers[1] = MOVE_NONE;
    if (picker->countermove == picker->killers[0] || picker->countermove == picker->killers[1])
        picker->countermove = MOVE_NONE;
}

/* Gives it if it stands; one that does not is no longer held back from the quiet moves. */
static move_t refutation_take(const struct picker *picker, move_t *refutation)
{
    if (picker->skip_quiets || move_is_noisy(*refutation) || *refutation == picker->table_move ||
        !is_playable(picker, *refutation) ||
        history_quiet(picker->context, picker->position, *refutation) <= -TUNE_REFUTATION_HISTORY)
        *refutation = MOVE_NONE;
    return *refutation;
}

/* What orders the quiet moves from `begin` to `end`. */
static void quiets_score(struct picker *picker, unsigned begin, unsigned end)
{
    const struct position *position = picker->position;
    history_quiets(picker->context, position, picker->moves + begin, end - begin,
                   picker->keys + begin);
    if (!switch_is_on(picker->context->memory, SWITCH_THREATS))
        return;
    struct threats found;
    const struct threats *threats = picker->threats;
    if (threats == NULL) {
        threats_find(position, &found);
        threats = &found;
    }
    for (unsigned i = begin; i < end; i++)
        picker->keys[i] += threats_score(threats, position, picker->moves[i]);
}

static void quiet_prepare(struct picker *picker)
{
    const unsigned begin = picker->end;
    const move_t *end = movegen_quiet(picker->position, picker->moves + begin);
    picker->begin = begin;
    picker->end = (unsigned)(end - picker->moves);
    quiets_score(picker, begin, picker->end);
    for (unsigned i = begin; i < picker->end; i++) {
        const move_t move = picker->moves[i];
        const bool is_taken = (move == picker->table_move) | (move == picker->killers[0]) |
                              (move == picker->killers[1]) | (move == picker->countermove);
        const int32_t key = key_make(picker->keys[i], i);
        picker->keys[i] = is_taken ? KEY_TAKEN : key;
    }
}

static move_t quiet_next(struct picker *picker)
{
    const int32_t key = picker->skip_quiets ? KEY_TAKEN : keys_select(picker);
    return key == KEY_TAKEN ? MOVE_NONE : picker->moves[key_index(key)];
}

/* The stage that gives a move when all is laid out at once. */
static enum picker_stage move_stage(const struct picker *picker, move_t move, unsigned index)
{
    if (picker->noisy_only && !scored_is_good(picker, move, index))
        return PICKER_DONE; /* Left out. */
    if (move == picker->table_move)
        return PICKER_TABLE;
    if (move_is_noisy(move))
        return picker->noisy_only || scored_is_good(picker, move, index) ? PICKER_NOISY
                                                                         : PICKER_BAD_NOISY;
    if (move == picker->killers[0])
        return PICKER_KILLER_1;
    if (move == picker->killers[1])
        return PICKER_KILLER_2;
    return move == picker->countermove ? PICKER_COUNTERMOVE : PICKER_QUIET;
}

/* As much work for a move as the stages do, or its time would not tell what laziness saves: each is
 * scored once, and a noisy table move not at all, since nothing stands beside it. */
static void unstaged_prepare(struct picker *picker)
{
    const move_t *end = movegen_noisy(picker->position, picker->moves);
    const unsigned noisy_end = (unsigned)(end - picker->moves);
    refutations_load(picker);
    (void)refutation_take(picker, &picker->killers[0]);
    (void)refutation_take(picker, &picker->killers[1]);
    (void)refutation_take(picker, &picker->countermove);
    if (!picker->noisy_only) {
        end = movegen_quiet(picker->position, picker->moves + noisy_end);
        quiets_score(picker, noisy_end, (unsigned)(end - picker->moves));
    }
    picker->begin = 0;
    picker->end = (unsigned)(end - picker->moves);
    picker->fair = 0;
    for (unsigned i = 0; i < picker->end; i++) {
        const move_t move = picker->moves[i];
        const bool is_scored = i >= noisy_end || move != picker->table_move;
        const int32_t score = !is_scored      ? 0
                              : i < noisy_end ? noisy_score(picker, move, i)
                                              : picker->keys[i];
        const enum picker_stage stage = move_stage(picker, move, i);
        picker->keys[i] = key_make((PICKER_DONE - (int32_t)stage) * STAGE_UNITS + score, i);
        if (stage == PICKER_DONE)
            picker->keys[i] = KEY_TAKEN;
    }
}

static move_t unstaged_next(struct picker *picker)
{
    for (;;) {
        const int32_t key = keys_select(picker);
        if (key == KEY_TAKEN)
            return MOVE_NONE;
        const move_t move = picker->moves[key_index(key)];
        const int32_t score = key / INDEX_UNITS + STAGE_UNITS / 2; /* Above 0, so that it floors. */
        picker->given = (enum picker_stage)(PICKER_DONE - score / STAGE_UNITS);
        if (move_is_noisy(move) || !picker->skip_quiets)
            return move;
    }
}

static void picker_set(struct picker *picker, const struct position *position,
                       const struct history_context *context, move_t table_move)
{
    const struct memory *memory = context->memory;
    picker->position = position;
    picker->context = context;
    picker->threats = NULL;
    picker->table_move = switch_is_on(memory, SWITCH_TABLE_MOVE) ? table_move : MOVE_NONE;
    picker->stage =
        switch_is_on(memory, SWITCH_STAGED_GENERATION) ? PICKER_TABLE : PICKER_UNSTAGED_START;
    picker->given = PICKER_DONE;
    picker->skip_quiets = false;
    picker->bad_count = picker->bad_next = 0;
}

void picker_init(struct picker *picker, const struct position *position,
                 const struct history_context *context, move_t table_move)
{
    picker_set(picker, position, context, table_move);
    picker->noisy_only = false;
    picker->see_threshold = TUNE_CAPTURE_SEE;
}

void picker_init_noisy(struct picker *picker, const struct position *position,
                       const struct history_context *context, move_t table_move, int see_threshold)
{
    picker_set(picker, position, context, table_move);
    picker->noisy_only = position->checkers == 0;
    picker->see_threshold = see_threshold;
}

/* Takes one step: gives a move, or goes on to the next stage and gives MOVE_NONE. */
static move_t stage_step(struct picker *picker)
{
    const enum picker_stage stage = picker->stage;
    move_t move = MOVE_NONE;
    picker->given = stage;
    switch (stage) {
    case PICKER_TABLE:
        picker->stage = PICKER_NOISY_START;
        return table_move_stands(picker) ? picker->table_move : MOVE_NONE;
    case PICKER_NOISY_START:
        noisy_prepare(picker);
        picker->stage = PICKER_NOISY;
        return MOVE_NONE;
    case PICKER_NOISY:
        move = noisy_next(picker);
        if (move == MOVE_NONE)
            picker->stage = picker->noisy_only ? PICKER_DONE : PICKER_KILLER_1;
        return move;
    case PICKER_KILLER_1:
        picker->stage = PICKER_KILLER_2;
        refutations_load(picker);
        return refutation_take(picker, &picker->killers[0]);
    case PICKER_KILLER_2:
        picker->stage = PICKER_COUNTERMOVE;
        return refutation_take(picker, &picker->killers[1]);
    case PICKER_COUNTERMOVE:
        picker->stage = picker->skip_quiets ? PICKER_BAD_NOISY : PICKER_QUIET_START;
        return refutation_take(picker, &picker->countermove);
    case PICKER_QUIET_START:
        picker->stage = picker->skip_quiets ? PICKER_BAD_NOISY : PICKER_QUIET;
        if (!picker->skip_quiets)
            quiet_prepare(picker);
        return MOVE_NONE;
    case PICKER_QUIET:
        move = quiet_next(picker);
        if (move == MOVE_NONE)
            picker->stage = PICKER_BAD_NOISY;
        return move;
    case PICKER_BAD_NOISY:
        if (picker->bad_next < picker->bad_count)
            return picker->moves[picker->bad[picker->bad_next++]];
        picker->stage = PICKER_DONE;
        return MOVE_NONE;
    case PICKER_UNSTAGED_START:
        unstaged_prepare(picker);
        picker->stage = PICKER_UNSTAGED;
        return MOVE_NONE;
    case PICKER_UNSTAGED:
        move = unstaged_next(picker);
        if (move == MOVE_NONE)
            picker->stage = PICKER_DONE;
        return move;
    case PICKER_DONE: return MOVE_NONE;
    }
    return MOVE_NONE;
}

move_t picker_next(struct picker *picker)
{
    move_t move;
    do
        move = stage_step(picker);
    while (move == MOVE_NONE && picker->stage != PICKER_DONE);
    return move;
}
