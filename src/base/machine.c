/* A process may use what the machine has and what each control group above it allows. Its groups
 * are told by /proc/self/cgroup, one line a hierarchy: "0::PATH" (v2) or "N:memory:PATH" (v1). A
 * limit may stand at any level, so the path is walked up to the mount. Inside a container the path
 * may name what is not mounted; then only the levels that exist count. */
#include "base/machine.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, ROW_BYTES = 256 };

struct allowance {
    uint64_t total;
    uint64_t available;
};

/* Where a version of control groups says what. */
struct hierarchy {
    const char *marker; /* In /proc/self/cgroup, before the path. */
    const char *mount;
    const char *limit_file;
    const char *usage_file;
};
static const struct hierarchy HIERARCHIES[] = {
    {"0::", "/sys/fs/cgroup", "memory.max", "memory.current"},
    {":memory:", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"}};

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* The number that follows `name` at the start of a line; an empty name reads the first line. */
static bool number_read(const char *path, const char *name, uint64_t *out_number)
{
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    bool is_found = false;
    char row[ROW_BYTES];
    while (!is_found && fgets(row, sizeof row, file) != NULL) {
        if (strncmp(row, name, strlen(name)) != 0)
            continue;
        char *end = NULL;
        const char *start = row + strlen(name);
        const unsigned long long number = strtoull(start, &end, 10);
        if (end == start)
            break; /* "max": no limit. */
        *out_number = number;
        is_found = true;
    }
    (void)fclose(file);
    return is_found;
}

static bool group_number(const char *group, const char *file, const char *name,
                         uint64_t *out_number)
{
    char path[PATH_BYTES];
    const int length = snprintf(path, sizeof path, "%s/%s", group, file);
    return length > 0 && (size_t)length < sizeof path && number_read(path, name, out_number);
}

static void group_apply(const char *group, const struct hierarchy *hierarchy,
                        struct allowance *allowance)
{
    uint64_t limit = 0, usage = 0;
    if (!group_number(group, hierarchy->limit_file, "", &limit))
        return;
    allowance->total = smaller(allowance->total, limit);
    if (!group_number(group, hierarchy->usage_file, "", &usage))
        return;
    uint64_t cache = 0, active = 0;
    (void)group_number(group, "memory.stat", "inactive_file ", &cache);
    (void)group_number(group, "memory.stat", "active_file ", &active);
    const uint64_t held = usage - smaller(usage, cache + active);
    allowance->available = smaller(allowance->available, limit - smaller(limit, held));
}

static void hierarchy_apply(const struct hierarchy *hierarchy, const char *path,
                            struct allowance *allowance)
{
    char group[PATH_BYTES];
    const int length = snprintf(group, sizeof group, "%s%s", hierarchy->mount, path);
    if (length < 0 || (size_t)length >= sizeof group)
        return;
    const size_t mount_length = strlen(hierarchy->mount);
    for (;;) {
        group_apply(group, hierarchy, allowance);
        if (strlen(group) <= mount_length)
            return;
        char *slash = strrchr(group, '/');
        *slash = '\0'; /* The mount itself has slashes, so there is one. */
    }
}

static void groups_apply(struct allowance *allowance)
{
    FILE *file = fopen("/proc/self/cgroup", "re");
    if (file == NULL)
        return;
    char row[PATH_BYTES];
    while (fgets(row, sizeof row, file) != NULL) {
        row[strcspn(row, "\n")] = '\0';
        for (size_t i = 0; i < sizeof HIERARCHIES / sizeof *HIERARCHIES; i++) {
            const char *marker = strstr(row, HIERARCHIES[i].marker);
            if (marker != NULL)
                hierarchy_apply(&HIERARCHIES[i], marker + strlen(HIERARCHIES[i].marker), allowance);
        }
    }
    (void)fclose(file);
}

static struct allowance allowance_read(void)
{
    enum { KIB = 1024 };
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    struct allowance allowance = {.total = UINT64_MAX, .available = UINT64_MAX};
    if (pages > 0 && page_bytes > 0)
        allowance.total = (uint64_t)pages * (uint64_t)page_bytes;
    uint64_t available_kib = 0;
    if (number_read("/proc/meminfo", "MemAvailable:", &available_kib))
        allowance.available = available_kib * KIB;
    groups_apply(&allowance);
    allowance.available = smaller(allowance.available, allowance.total);
    return allowance;
}

uint64_t machine_memory_bytes(void) { return allowance_read().total; }

uint64_t machine_memory_available_bytes(void) { return allowance_read().available; }
