#include "lab/ablate_table.h"

#include <string.h>

#include "base/text.h"
#include "lab/player_options.h"

static const uint32_t ALL = ((uint32_t)1 << SWITCH_COUNT) - 1;
static const uint32_t BASE = (uint32_t)1 << SWITCH_MVV_LVA;

/* What is only known together. */
static const char *const JOINED[] = {"killers+countermoves", "killers+countermoves+history",
                                     "history+continuation-history"};
enum { JOINED_COUNT = sizeof JOINED / sizeof *JOINED };

static const char *const FIRST_NAMES[] = {[ABLATE_OFF] = "nothing", [ABLATE_ONLY] = "base"};

const char *ablate_positions(void)
{
    return "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
           "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R b KQkq - 5 4\n"
           "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9\n"
           "2r2rk1/pb1qbppp/1p2pn2/3pN3/3P1P2/1PNB4/P2Q2PP/2R2RK1 w - - 3 17\n"
           "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\n"
           "8/5pk1/1p2p1p1/1P1rP2p/5P1P/R3K1P1/8/8 w - - 2 42\n";
}

/* False: no room, or no such technique. */
static bool row_add(struct ablate_table *table, enum ablate_mode mode, unsigned first,
                    const char *name)
{
    uint32_t techniques = 0;
    struct text text;
    if (table->count == ABLATE_ROWS_MAX)
        return false;
    struct ablate_row *row = &table->rows[table->count];
    if (table->count != first && !switches_parse(slice_of(name), &techniques))
        return false;
    *row = (struct ablate_row){.mode = mode, .techniques = techniques, .first = first};
    text_init(&text, row->name, sizeof row->name);
    table->count += text_add(&text, name);
    return !text.is_cut;
}

void ablate_table_init(struct ablate_table *out_table)
{
    const char *names[SWITCH_COUNT + JOINED_COUNT];
    for (unsigned i = 0; i < SWITCH_COUNT; i++)
        names[i] = switch_name((enum ordering_switch)i);
    for (unsigned i = 0; i < JOINED_COUNT; i++)
        names[SWITCH_COUNT + i] = JOINED[i];
    (void)ablate_table_init_rows(out_table, names, SWITCH_COUNT + JOINED_COUNT);
}

enum rk_status ablate_table_init_rows(struct ablate_table *out_table, const char *const *names,
                                      unsigned count)
{
    struct ablate_table *table = out_table;
    table->count = 0;
    for (unsigned mode = 0; mode < ABLATE_MODE_COUNT; mode++) {
        const unsigned first = table->count;
        if (!row_add(table, (enum ablate_mode)mode, first, FIRST_NAMES[mode]))
            return RK_BAD_ARGUMENT;
        for (unsigned i = 0; i < count; i++)
            if (!row_add(table, (enum ablate_mode)mode, first, names[i]))
                return RK_BAD_ARGUMENT;
    }
    return RK_OK;
}

static enum rk_status row_run_once(struct ablation *ablation, const struct ablate_plan *plan,
                                   const struct ablate_table *table, unsigned index,
                                   struct ablate_result *out_result)
{
    const struct ablate_row *row = &table->rows[index];
    const struct ablate_way way = {.depth = plan->depth,
                                   .is_plain = plan->is_plain,
                                   .switches_off = row->mode == ABLATE_OFF
                                                       ? row->techniques
                                                       : ALL & ~(BASE | row->techniques)};
    *out_result = (struct ablate_result){.nodes = 0};
    for (size_t i = 0; i < book_count(plan->book); i++) {
        if (plan->position != NULL)
            plan->position(plan->context, table, index, i);
        const enum rk_status status = ablate_position(ablation, plan->book, i, &way, out_result);
        if (status != RK_OK)
            return status;
    }
    return RK_OK;
}

static double change_pct(double value, double from)
{
    return from > 0.0 ? 100.0 * (value - from) / from : 0.0;
}

static void row_compare(struct ablate_table *table, struct ablate_row *row)
{
    const struct ablate_result *result = &row->result, *first = &table->rows[row->first].result;
    row->nodes_change_pct = change_pct((double)result->nodes, (double)first->nodes);
    row->time_change_pct = change_pct((double)result->time_us, (double)first->time_us);
    row->first_move_cutoff_pct =
        result->cutoffs > 0 ? 100.0 * (double)result->first_cutoffs / (double)result->cutoffs : 0.0;
}

static enum rk_status row_run(struct ablation *ablation, const struct ablate_plan *plan,
                              struct ablate_table *table, unsigned index)
{
    struct ablate_row *row = &table->rows[index];
    const struct ablate_row *first = &table->rows[row->first];
    if (row->mode == ABLATE_ONLY && row->techniques == BASE) {
        row->result = first->result; /* It is the base. */
        return RK_OK;
    }
    int64_t time_us = 0, runs = 0;
    do {
        const enum rk_status status = row_run_once(ablation, plan, table, index, &row->result);
        if (status != RK_OK)
            return status;
        time_us += row->result.time_us;
        runs++;
    } while (time_us < plan->least_us);
    row->result.time_us = time_us / runs;
    return RK_OK;
}

enum rk_status ablate_table_run(struct ablate_table *table, const struct ablate_plan *plan)
{
    struct ablation *ablation;
    enum rk_status status = ablation_create(plan->table_mib, &ablation);
    if (status != RK_OK)
        return status;
    for (unsigned i = 0; i < table->count && status == RK_OK; i++) {
        status = row_run(ablation, plan, table, i);
        if (status != RK_OK)
            break;
        row_compare(table, &table->rows[i]);
        if (plan->row != NULL && !plan->row(plan->context, &table->rows[i]))
            break;
    }
    ablation_destroy(ablation);
    return status;
}
