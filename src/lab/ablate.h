/* lab/ablate.h: what a technique of ordering is worth: the same search with some switched off.
 * Every position is searched to a fixed depth by one worker from an empty table and empty memory,
 * so nodes and cutoffs are repeatable to the last one; only the time is the machine's. Thread: one
 * at a time for each struct ablation. */
#ifndef LAB_ABLATE_H
#define LAB_ABLATE_H

#include <stddef.h>

#include "engine/switches.h"

struct ablation;

struct ablate_result {
    uint64_t nodes;
    int64_t time_us;        /* Of the thread's own CPU. */
    uint64_t cutoffs;       /* Nodes that a move refuted, quiescence left out. */
    uint64_t first_cutoffs; /* Of these by the first move searched. */
};

/* RK_NO_MEMORY, RK_BAD_ARGUMENT. */
enum rk_status ablation_create(uint32_t table_mib, struct ablation **out_ablation);
void ablation_destroy(struct ablation *ablation);

/* The bit of a technique in switches_off. */
static inline uint32_t ablate_bit(enum ordering_switch technique)
{
    return (uint32_t)1 << technique;
}

/* Searches each position; the sums. depth 1 to PLY_MAX. The status of a FEN that is none. */
enum rk_status ablate_run(struct ablation *ablation, const char *const *fens, size_t count,
                          depth_t depth, uint32_t switches_off, struct ablate_result *out_result);

#endif
