/* Histories move toward ±HISTORY_MAX with gravity, so that each is a running mean of successes and
 * failures that no number of updates can carry past the bound:
 *
 *     score += change - score * |change| / HISTORY_MAX
 *
 * With |score| and |change| at most HISTORY_MAX the result is too, and the division truncates
 * toward zero, which can only bring it nearer to the middle.
 *
 * The move before last and its like are looked up as continuations: the histories of moves that
 * answered (1 ply), followed up (2) and followed up once more (4) are added to the plain history.
 */
#include "engine/history.h"

#include <stddef.h>
#include <string.h>

#include "base/check.h"
#include "engine/switches.h"
#include "engine/tune.h"

static_assert(HISTORY_MAX <= INT16_MAX, "a score fits its cell");

static_assert((1 + CONTINUATIONS) * HISTORY_MAX <= HISTORY_SUM_MAX, "sums are bounded");
static_assert(GREATEST_HISTORY_BONUS_MAX * GREATEST_MALUS <= HISTORY_MAX * 32, "changes fit");

void memory_clear(struct memory *memory) { memset(memory, 0, sizeof *memory); }

static void scores_age(int16_t *scores, size_t count)
{
    for (size_t i = 0; i < count; i++)
        scores[i] = (int16_t)(scores[i] * TUNE_HISTORY_KEPT / 16);
}

void memory_age(struct memory *memory)
{
    memset(memory->killers, 0, sizeof memory->killers);
    scores_age(&memory->quiets[0][0][0][0][0], sizeof memory->quiets / sizeof(int16_t));
    scores_age(&memory->captures[0][0][0], sizeof memory->captures / sizeof(int16_t));
    scores_age(&memory->continuations[0][0][0][0], sizeof memory->continuations / sizeof(int16_t));
}

void history_apply(int16_t *score, int change)
{
    ASSERT(change >= -HISTORY_MAX && change <= HISTORY_MAX);
    const int size = change < 0 ? -change : change;
    *score = (int16_t)(*score + change - *score * size / HISTORY_MAX);
}

/* What a quiet move's score is read from; what is missing or switched off reads as zeros. */
struct quiet_tables {
    const int16_t (*plain)[2][SQUARE_COUNT][SQUARE_COUNT];
    bitboard_t attacked;
    const continuation_t *continuations[CONTINUATIONS];
};

static struct quiet_tables quiet_tables_of(const struct history_context *context, color_t side)
{
    static const int16_t NO_PLAIN[2][2][SQUARE_COUNT][SQUARE_COUNT];
    static const continuation_t NO_CONTINUATION;
    const struct memory *memory = context->memory;
    struct quiet_tables tables;
    tables.attacked = context->attacked;
    tables.plain = switch_is_on(memory, SWITCH_HISTORY) ? memory->quiets[side] : NO_PLAIN;
    for (unsigned i = 0; i < CONTINUATIONS; i++)
        tables.continuations[i] =
            context->continuation[i] != NULL && switch_is_on(memory, SWITCH_CONTINUATION_HISTORY)
                ? (const continuation_t *)context->continuation[i]
                : &NO_CONTINUATION;
    return tables;
}

static unsigned is_in(bitboard_t set, square_t square) { return (unsigned)(set >> square & 1); }

static int quiet_score(const struct quiet_tables *tables, const struct position *position,
                       move_t move)
{
    const square_t from = move_from(move), to = move_to(move);
    const piece_t piece = position->board[from];
    int sum = tables->plain[is_in(tables->attacked, from)][is_in(tables->attacked, to)][from][to];
    for (unsigned i = 0; i < CONTINUATIONS; i++)
        sum += (*tables->continuations[i])[piece][to];
    return sum;
}

int history_quiet(const struct history_context *context, const struct position *position,
                  move_t move)
{
    const struct quiet_tables tables = quiet_tables_of(context, position->side);
    return quiet_score(&tables, position, move);
}

void history_quiets(const struct history_context *context, const struct position *position,
                    const move_t *moves, unsigned count, int32_t *out_scores)
{
    const struct quiet_tables tables = quiet_tables_of(context, position->side);
    for (unsigned i = 0; i < count; i++)
        out_scores[i] = quiet_score(&tables, position, moves[i]);
}

static int16_t *capture_score(struct memory *memory, const struct position *position, move_t move)
{
    /* A promotion that takes nothing is filed under the pawn it costs. */
    const piece_t taken = position_captured(position, move);
    const kind_t kind = taken == PIECE_NONE ? PAWN : piece_kind(taken);
    return &memory->captures[position->board[move_from(move)]][move_to(move)][kind];
}

int history_capture(struct memory *memory, const struct position *position, move_t move)
{
    return switch_is_on(memory, SWITCH_CAPTURE_HISTORY) ? *capture_score(memory, position, move)
                                                        : 0;
}

int history_bonus(depth_t depth)
{
    const int squared = TUNE_HISTORY_BONUS * depth * depth;
    return squared < TUNE_HISTORY_BONUS_MAX ? squared : TUNE_HISTORY_BONUS_MAX;
}

void history_plain_change(struct memory *memory, bitboard_t attacked, piece_t piece, move_t move,
                          int change)
{
    const square_t from = move_from(move), to = move_to(move);
    history_apply(
        &memory->quiets[piece_color(piece)][is_in(attacked, from)][is_in(attacked, to)][from][to],
        change);
}

void history_capture_change(struct memory *memory, const struct position *position, move_t move,
                            int change)
{
    history_apply(capture_score(memory, position, move), change);
}

void history_quiet_change(const struct history_context *context, piece_t piece, move_t move,
                          int change)
{
    history_plain_change(context->memory, context->attacked, piece, move, change);
    for (unsigned i = 0; i < CONTINUATIONS; i++)
        if (context->continuation[i] != NULL)
            history_apply(&(*context->continuation[i])[piece][move_to(move)], change);
}

static void refutation_set(const struct history_context *context, move_t best)
{
    struct memory *memory = context->memory;
    move_t *killers = memory->killers[context->ply];
    if (killers[0] != best) {
        killers[1] = killers[0];
        killers[0] = best;
    }
    if (context->previous != MOVE_NONE)
        memory->countermoves[context->previous_piece][move_to(context->previous)] = best;
}

static void quiets_learn(const struct history_context *context, const struct position *position,
                         move_t best, const move_t *quiets, unsigned count, int bonus)
{
    history_quiet_change(context, position->board[move_from(best)], best, bonus);
    for (unsigned i = 0; i < count; i++) {
        const unsigned most = (unsigned)TUNE_MALUS_FADE_MAX;
        const unsigned fade = i * (unsigned)TUNE_MALUS_FADE;
        const int malus = TUNE_MALUS - (int)(fade < most ? fade : most);
        history_quiet_change(context, position->board[move_from(quiets[i])], quiets[i],
                             -bonus * malus / 32);
    }
}

void history_exact(const struct history_context *context, const struct position *position,
                   depth_t depth, move_t best, const move_t *quiets, unsigned quiet_count)
{
    if (!move_is_noisy(best))
        quiets_learn(context, position, best, quiets, quiet_count, history_bonus(depth));
}

void history_cutoff(const struct history_context *context, const struct position *position,
                    depth_t depth, move_t best, const move_t *quiets, unsigned quiet_count,
                    const move_t *captures, unsigned capture_count)
{
    ASSERT(context->ply >= 0 && context->ply < PLY_MAX + 2);
    cutoff_count(context->memory, quiet_count + capture_count == 0);
    const int bonus = history_bonus(depth);
    if (move_is_noisy(best)) {
        history_capture_change(context->memory, position, best, bonus);
    } else {
        refutation_set(context, best);
        quiets_learn(context, position, best, quiets, quiet_count, bonus);
    }
    for (unsigned i = 0; i < capture_count; i++)
        history_capture_change(context->memory, position, captures[i], -bonus);
}
