#include "lab/ablate_table.h"

#include <string.h>

#include "base/text.h"
#include "lab/player_options.h"

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
