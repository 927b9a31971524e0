/* base/thread.h: how the kernel treats a thread among busy ones.
 * Thread: any; the calling one is meant. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <stdbool.h>

/* Asks the kernel for the shortest slices: a thread that wakes often and works little then runs
 * soon after it wakes, before busy ones, without a privilege and without more of the processor
 * (Linux 6.12 and later: earliest eligible virtual deadline first). Threads that it creates
 * afterwards inherit it. False: the kernel refused, nothing has changed. */
bool thread_hurry(void);

#endif
