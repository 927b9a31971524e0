/* lab/ablate.h: what a technique of ordering is worth: the same search with some switched off.
 * Every position is searched to a fixed depth by one worker from an empty table and empty memory,
 * so nodes and cutoffs are repeatable to the last one; only the time is the machine's. Thread: one
 * at a time for each struct ablation. */
#ifndef LAB_ABLATE_H
#define LAB_ABLATE_H

#include <stddef.h>

#include "engine/switches.h"
#include "lab/book.h"

struct ablation;

/* How positions are searched. */
struct ablate_way {
    uint32_t depth;        /* 1 to PLY_MAX - 1. */
    uint32_t switches_off; /* A bit each. */
    bool is_plain;         /* By lab/plain.h. */
};

struct ablate_result {
    uint64_t nodes;
    int64_t time_us;        /* Of the thread's own CPU. */
    uint64_t cutoffs;       /* Nodes that a move refuted, quiescence left out. */
    uint64_t first_cutoffs; /* Of these by the first move searched. */
};

/* RK_NO_MEMORY, RK_BAD_ARGUMENT. */
enum rk_status ablation_create(uint32_t table_mib, struct ablation **out_ablation);
void ablation_destroy(struct ablation *ablation); /* NULL is fine. */

/* The bit of a technique in switches_off. */
static inline uint32_t ablate_bit(enum ordering_switch technique)
{
    return (uint32_t)1 << technique;
}

/* Searches one position of a book and adds to the result. RK_BAD_ARGUMENT. */
enum rk_status ablate_position(struct ablation *ablation, const struct book *book, size_t index,
                               const struct ablate_way *way, struct ablate_result *result);

#endif
