/* base/machine.h: what this process may use, which is often less than what the machine has.
 * CPU affinity, the control groups above the process (version 2; version 1 where it is mounted),
 * physical memory, and open files. The kernel promises more memory than there is (overcommit) and
 * ends who touches it, so whoever wants much asks here first.
 * Thread: any; files of the kernel are read at each call: not for a hot path. */
#ifndef BASE_MACHINE_H
#define BASE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine {
    uint32_t cores;           /* At least 1. A part of a core counts as one. */
    uint64_t memory_bytes;    /* Physical memory or the tightest memory.max. */
    uint64_t available_bytes; /* Of it, to be had at this moment, file cache that would be given up
                                 included; swap is not. */
    uint64_t files_max;       /* RLIMIT_NOFILE in force. */
    bool is_cpu_limited;      /* A control group gives fewer cores than the affinity. */
    bool is_memory_limited;   /* A control group gives less than the physical memory. */
};

void machine_read(struct machine *out_machine);

/* struct machine's memory_bytes and available_bytes. */
uint64_t machine_memory_bytes(void);
uint64_t machine_memory_available_bytes(void);

/* Raises the soft limit of open files to `wanted`, or as far as the hard one allows; returns the
 * limit then in force. Never lowers it. */
uint64_t machine_raise_files(uint64_t wanted);

/* Threads and table by default: every usable core; a quarter of the usable memory, but at most
 * half of what is free and 512 MiB a thread (more is of no use to so few), and at least 16 MiB. */
uint32_t machine_threads(const struct machine *machine);
uint32_t machine_table_mib(const struct machine *machine, uint32_t threads);

/* The parts, on text as the kernel writes it; out-parameters are untouched when false. */

/* "max 100000", "150000 100000": cores, a part counting as one. False when there is no limit. */
bool machine_parse_cpu_max(const char *text, uint32_t *out_cores);
/* cpu.cfs_quota_us and cpu.cfs_period_us of version 1; a negative quota is no limit. */
bool machine_parse_cpu_quota(const char *quota, const char *period, uint32_t *out_cores);
/* "max", "1073741824". False when there is no limit. */
bool machine_parse_memory(const char *text, uint64_t *out_bytes);
/* The number behind `name` at the start of a line of /proc/meminfo or memory.stat. */
bool machine_parse_row(const char *text, const char *name, uint64_t *out_number);
/* The path of a controller in /proc/self/cgroup; "" names version 2. */
bool machine_parse_group(const char *text, const char *controller, char *out_path,
                         size_t path_bytes);
/* "/a/b" to "/a", "/a" to "": the group above. False at the root. */
bool machine_leave_group(char *path);

#endif
