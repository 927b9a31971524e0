/* base/machine.h: what this process may use of the machine.
 * The kernel promises more memory than there is (overcommit) and ends who touches it, so whoever
 * wants much asks here first. Files of the kernel are read at each call: not for a hot path.
 * Thread: any. */
#ifndef BASE_MACHINE_H
#define BASE_MACHINE_H

#include <stdint.h>

/* Physical memory, or the least limit of the control groups (v1 or v2) that this process is in. */
uint64_t machine_memory_bytes(void);

/* How much of it can be had at this moment, file cache that would be given up included; swap is
 * not. */
uint64_t machine_memory_available_bytes(void);

#endif
