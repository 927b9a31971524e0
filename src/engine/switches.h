/* engine/switches.h: the techniques of ordering, each of which can be switched off for measuring.
 * In the product all are on: switch_is_on() is the constant true, and no field stands behind it;
 * nor is anything counted.
 * The lab compiles the same search a second time with ROOKERY_LAB, which reads a bit of the memory
 * that the node orders by. Thread: as struct memory. */
#ifndef ENGINE_SWITCHES_H
#define ENGINE_SWITCHES_H

#include "engine/history.h"

enum ordering_switch {
    SWITCH_TABLE_MOVE,           /* The table's move comes first. */
    SWITCH_MVV_LVA,              /* Captures by what they take and what takes. */
    SWITCH_PROMOTIONS,           /* Queen promotions come with the captures, not late. */
    SWITCH_CAPTURE_HISTORY,      /* Captures by what captures did elsewhere. */
    SWITCH_SEE_ORDERING,         /* Captures that lose material come last. */
    SWITCH_KILLERS,              /* Two quiet refutations a ply. */
    SWITCH_COUNTERMOVES,         /* The quiet refutation of the opponent's last move. */
    SWITCH_HISTORY,              /* Quiet moves by side, from, to. */
    SWITCH_CONTINUATION_HISTORY, /* Quiet moves by what was played before. */
    SWITCH_THREATS,              /* Quiet moves by what they leave and walk into, and checks. */
    SWITCH_STAGED_GENERATION,    /* Generation, keys and exchanges only when a stage needs them. */
    SWITCH_COUNT
};

#ifdef ROOKERY_LAB
static inline bool switch_is_on(const struct memory *memory, enum ordering_switch technique)
{
    return (memory->switches_off >> technique & 1u) == 0;
}

/* How often a move refuted its node, and how often the first one tried did. */
static inline void cutoff_count(struct memory *memory, bool is_first)
{
    memory->cutoffs++;
    memory->first_cutoffs += is_first;
}

/* "mvv-lva" and its like. */
const char *switch_name(enum ordering_switch technique);
/* False, and nothing written, for a name that is none. */
bool switch_parse(const char *name, enum ordering_switch *out_technique);
#else
static inline bool switch_is_on(const struct memory *memory, enum ordering_switch technique)
{
    (void)memory;
    (void)technique;
    return true;
}
static inline void cutoff_count(struct memory *memory, bool is_first)
{
    (void)memory;
    (void)is_first;
}
#endif

#endif
