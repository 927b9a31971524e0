/* A build without Fathom: no set is ever open. */
#include "engine/tablebase.h"

enum rk_status tablebase_open(const char *path, struct rk_tablebases *out_tablebases)
{
    *out_tablebases = (struct rk_tablebases){0};
    return *path == '\0' ? RK_OK : RK_NO_TABLEBASES;
}

void tablebase_enter(void) {}
void tablebase_leave(void) {}

unsigned tablebase_men(void) { return 0; }

bool tablebase_probe(const struct position *position, int *out_result)
{
    (void)position;
    (void)out_result;
    return false;
}

enum tablebase_answer tablebase_rank(const struct position *root, bool has_repeated,
                                     bool uses_fifty, struct tablebase_move *moves, int count)
{
    (void)root;
    (void)has_repeated;
    (void)uses_fifty;
    (void)moves;
    (void)count;
    return TABLEBASE_UNKNOWN;
}
