/* Rows take turns: in each round every row that is not done has one, which is as many runs as take
 * an eleventh of the time wanted. A machine that becomes slower meanwhile does so for all rows, and
 * the median of its turns is a row's time.
 *
 * A row is done when its searches have taken the time wanted; a search of little depth is over
 * before the table is cleared for the next, so also when so many times that has passed. A row whose
 * one run takes longer is run once.
 *
 * What is left is reckoned from the time that passed in turns that were taken. A row that had none
 * is taken to be like the others of its mode: the first of each mode come first in a round. */
#include <math.h>

#include "base/clock.h"
#include "lab/ablate_table.h"

enum { TURNS = 11, PASSED_PER_SEARCHED = 16 };

static const uint32_t ALL = ((uint32_t)1 << SWITCH_COUNT) - 1;
static const uint32_t BASE = (uint32_t)1 << SWITCH_MVV_LVA;

struct turns {
    int64_t times_us[TURNS]; /* Of one run in each. */
    unsigned count;
    int64_t searched_us, passed_us; /* Of all. */
};

struct work {
    const struct ablate_plan *plan;
    struct ablate_table *table;
    struct ablation *ablation;
    struct turns turns[ABLATE_ROWS_MAX];
    unsigned told;    /* Rows from the first on. */
    unsigned row;     /* Whose turn it is, */
    int64_t start_us; /* since when, */
    int64_t run_us;   /* and what its first run will take by the positions that are behind. */
};

int64_t ablate_median(const int64_t *times_us, unsigned count)
{
    int64_t sorted[TURNS] = {0};
    for (unsigned i = 0; i < count && i < TURNS; i++) {
        unsigned place = i;
        for (; place > 0 && sorted[place - 1] > times_us[i]; place--)
            sorted[place] = sorted[place - 1];
        sorted[place] = times_us[i];
    }
    return count == 0 ? 0 : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

/* Captures by MVV-LVA alone above themselves: the base again. */
static bool is_base(const struct ablate_row *row)
{
    return row->mode == ABLATE_ONLY && row->techniques == BASE;
}

static bool is_done(const struct work *work, unsigned index)
{
    const struct ablate_row *row = &work->table->rows[index];
    const struct turns *turns = &work->turns[is_base(row) ? row->first : index];
    const int64_t least_us = work->plan->least_us;
    return turns->count == TURNS ||
           (turns->count > 0 &&
            (turns->searched_us >= least_us || turns->passed_us >= PASSED_PER_SEARCHED * least_us));
}

/* What a row that had turns will take in all. */
static double cost_of(const struct work *work, const struct turns *turns)
{
    const double least_us = (double)work->plan->least_us;
    const double searched_us = (double)turns->searched_us / turns->count;
    const double passed_us = (double)turns->passed_us / turns->count;
    double needed = turns->count;
    while (needed < TURNS && needed * searched_us < least_us &&
           needed * passed_us < PASSED_PER_SEARCHED * least_us)
        needed += 1.0;
    return needed * passed_us;
}

/* The mean cost of rows that had turns, of one mode or, with ABLATE_MODE_COUNT, of any; 0: none. */
static double cost_like(const struct work *work, enum ablate_mode mode)
{
    double sum = 0.0;
    unsigned count = 0;
    for (unsigned i = 0; i < work->table->count; i++)
        if (work->turns[i].count > 0 &&
            (mode == ABLATE_MODE_COUNT || work->table->rows[i].mode == mode)) {
            sum += cost_of(work, &work->turns[i]);
            count++;
        }
    return count > 0 ? sum / count : 0.0;
}

/* What one that had none will take; 0 while nothing is known. */
static double cost_guess(const struct work *work, unsigned index)
{
    const double run_us = (double)work->run_us;
    const double any_us = cost_like(work, ABLATE_MODE_COUNT);
    if (any_us <= 0.0)
        return run_us > 0.0 ? fmax(run_us, (double)work->plan->least_us) : 0.0;
    const double like_us = cost_like(work, work->table->rows[index].mode);
    const double cost_us = like_us > 0.0 ? like_us : any_us;
    return index == work->row ? fmax(cost_us, run_us) : cost_us;
}

/* 0 while nothing is known. */
static double share_done(const struct work *work)
{
    const double in_turn_us = (double)(clock_now_us() - work->start_us);
    double spent_us = in_turn_us, left_us = 0.0;
    for (unsigned i = 0; i < work->table->count; i++) {
        const struct turns *turns = &work->turns[i];
        spent_us += (double)turns->passed_us;
        if (is_base(&work->table->rows[i]) || is_done(work, i))
            continue;
        const double cost_us = turns->count > 0 ? cost_of(work, turns) : cost_guess(work, i);
        if (cost_us <= 0.0)
            return 0.0;
        const double rest_us =
            cost_us - (double)turns->passed_us - (i == work->row ? in_turn_us : 0.0);
        left_us += rest_us > 0.0 ? rest_us : 0.0;
    }
    return spent_us > 0.0 ? spent_us / (spent_us + left_us) : 0.0;
}

static void position_tell(struct work *work, size_t index, bool is_first_run)
{
    const size_t count = book_count(work->plan->book);
    if (is_first_run && index > 0)
        work->run_us = (clock_now_us() - work->start_us) * (int64_t)count / (int64_t)index;
    if (work->plan->position != NULL)
        work->plan->position(work->plan->context, work->table, work->row, index, share_done(work));
}

static enum rk_status run_once(struct work *work, bool is_first_run)
{
    const struct ablate_plan *plan = work->plan;
    struct ablate_row *row = &work->table->rows[work->row];
    const struct ablate_way way = {.depth = plan->depth,
                                   .is_plain = plan->is_plain,
                                   .switches_off = row->mode == ABLATE_OFF
                                                       ? row->techniques
                                                       : ALL & ~(BASE | row->techniques)};
    row->result = (struct ablate_result){.nodes = 0};
    for (size_t i = 0; i < book_count(plan->book); i++) {
        position_tell(work, i, is_first_run);
        const enum rk_status status =
            ablate_position(work->ablation, plan->book, i, &way, &row->result);
        if (status != RK_OK)
            return status;
    }
    return RK_OK;
}

static enum rk_status turn_take(struct work *work, unsigned index)
{
    const int64_t least_us = work->plan->least_us / TURNS;
    struct turns *turns = &work->turns[index];
    int64_t searched_us = 0, passed_us = 0, runs = 0;
    work->row = index;
    work->start_us = clock_now_us();
    work->run_us = 0;
    do {
        const enum rk_status status = run_once(work, turns->count == 0 && runs == 0);
        if (status != RK_OK)
            return status;
        searched_us += work->table->rows[index].result.time_us;
        passed_us = clock_now_us() - work->start_us;
        runs++;
    } while (searched_us < least_us && passed_us < PASSED_PER_SEARCHED * least_us);
    turns->times_us[turns->count++] = searched_us / runs;
    turns->searched_us += searched_us;
    turns->passed_us += passed_us;
    return RK_OK;
}

static double change_pct(double value, double from)
{
    return from > 0.0 ? 100.0 * (value - from) / from : 0.0;
}

static void row_end(struct work *work, unsigned index)
{
    struct ablate_row *row = &work->table->rows[index];
    const struct ablate_result *first = &work->table->rows[row->first].result;
    struct ablate_result *result = &row->result;
    if (is_base(row))
        *result = *first;
    else
        result->time_us = ablate_median(work->turns[index].times_us, work->turns[index].count);
    row->nodes_change_pct = change_pct((double)result->nodes, (double)first->nodes);
    row->time_change_pct = change_pct((double)result->time_us, (double)first->time_us);
    row->first_move_cutoff_pct =
        result->cutoffs > 0 ? 100.0 * (double)result->first_cutoffs / (double)result->cutoffs : 0.0;
}

/* Rows are told in their order, so each behind the one that it is compared with. */
static bool rows_tell(struct work *work)
{
    const struct ablate_plan *plan = work->plan;
    for (; work->told < work->table->count && is_done(work, work->told); work->told++) {
        row_end(work, work->told);
        if (plan->row != NULL && !plan->row(plan->context, &work->table->rows[work->told]))
            return false;
    }
    return true;
}

/* The first row of each mode has its turn before the others. */
static enum rk_status round_take(struct work *work, bool *is_enough)
{
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < work->table->count && !*is_enough; i++) {
            const struct ablate_row *row = &work->table->rows[i];
            if ((row->first == i) != (pass == 0) || is_base(row) || is_done(work, i))
                continue;
            const enum rk_status status = turn_take(work, i);
            if (status != RK_OK)
                return status;
            *is_enough = !rows_tell(work);
        }
    return RK_OK;
}

enum rk_status ablate_table_run(struct ablate_table *table, const struct ablate_plan *plan)
{
    struct work work = {.plan = plan, .table = table};
    bool is_enough = false;
    enum rk_status status = ablation_create(plan->table_mib, &work.ablation);
    if (status != RK_OK)
        return status;
    while (status == RK_OK && !is_enough && work.told < table->count)
        status = round_take(&work, &is_enough);
    ablation_destroy(work.ablation);
    return status;
}
