#include "base/machine.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/text.h"

enum {
    KIB = 1024,
    FILE_BYTES_MAX = 4096,
    PATH_BYTES_MAX = 1024,
    TABLE_MIB_MIN = 16,
    TABLE_MIB_PER_THREAD_MAX = 512,
    MEMORY_SHARE = 4,   /* The table gets one part of so many, */
    AVAILABLE_SHARE = 2 /* and at most one part of so many of what is free. */
};

static const char GROUPS_ROOT[] = "/sys/fs/cgroup";

/* -- Parsing -------------------------------------------------------------------------------- */

static bool parse_number(struct slice word, int64_t *out_number)
{
    return number_parse(word, 0, INT64_MAX, out_number) == NUMBER_OK;
}

static bool cores_of(int64_t quota, int64_t period, uint32_t *out_cores)
{
    if (period <= 0 || quota <= 0)
        return false;
    const int64_t cores = quota / period + (quota % period != 0 ? 1 : 0);
    *out_cores = cores > THREADS_MAX ? THREADS_MAX : (uint32_t)cores;
    return true;
}

bool machine_parse_cpu_max(const char *text, uint32_t *out_cores)
{
    struct slice rest = slice_of(text);
    int64_t quota = 0;
    int64_t period = 0;
    if (!parse_number(slice_next_word(&rest), &quota) ||
        !parse_number(slice_next_word(&rest), &period))
        return false;
    return cores_of(quota, period, out_cores);
}

bool machine_parse_cpu_quota(const char *quota, const char *period, uint32_t *out_cores)
{
    int64_t quota_us = 0;
    int64_t period_us = 0;
    if (!parse_number(slice_trim(slice_of(quota)), &quota_us) ||
        !parse_number(slice_trim(slice_of(period)), &period_us))
        return false;
    return cores_of(quota_us, period_us, out_cores);
}

bool machine_parse_memory(const char *text, uint64_t *out_bytes)
{
    int64_t bytes = 0;
    if (!parse_number(slice_trim(slice_of(text)), &bytes) || bytes == 0)
        return false;
    *out_bytes = (uint64_t)bytes;
    return true;
}

bool machine_parse_row(const char *text, const char *name, uint64_t *out_number)
{
    for (;;) {
        if (strncmp(text, name, strlen(name)) == 0) {
            struct slice rest = slice_of(text + strlen(name));
            int64_t number = 0;
            if (!parse_number(slice_next_word(&rest), &number))
                return false;
            *out_number = (uint64_t)number;
            return true;
        }
        text = strchr(text, '\n');
        if (text == NULL)
            return false;
        text++;
    }
}

/* Whether `list`, words parted by commas, holds `word`; an empty list holds "". */
static bool has_controller(struct slice list, const char *word)
{
    while (list.length > 0) {
        const char *comma = memchr(list.bytes, ',', list.length);
        const size_t length = comma == NULL ? list.length : (size_t)(comma - list.bytes);
        if (slice_equal((struct slice){list.bytes, length}, word))
            return true;
        if (comma == NULL)
            return false;
        list.bytes += length + 1;
        list.length -= length + 1;
    }
    return *word == '\0';
}

/* Lines are "ID:controller,controller:/path". */
bool machine_parse_group(const char *text, const char *controller, char *out_path,
                         size_t path_bytes)
{
    while (*text != '\0') {
        const char *line_end = text + strcspn(text, "\n");
        const char *list = memchr(text, ':', (size_t)(line_end - text));
        const char *path =
            list == NULL ? NULL : memchr(list + 1, ':', (size_t)(line_end - list - 1));
        if (path != NULL &&
            has_controller((struct slice){list + 1, (size_t)(path - list - 1)}, controller)) {
            const size_t length = (size_t)(line_end - path - 1);
            if (length >= path_bytes)
                return false;
            memcpy(out_path, path + 1, length);
            out_path[length] = '\0';
            if (length == 1) /* "/": the root is the empty path. */
                out_path[0] = '\0';
            return true;
        }
        text = *line_end == '\0' ? line_end : line_end + 1;
    }
    return false;
}

bool machine_leave_group(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    return true;
}

/* -- Reading -------------------------------------------------------------------------------- */

static bool read_file(const char *path, char out_text[FILE_BYTES_MAX])
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const ssize_t length = read(file, out_text, FILE_BYTES_MAX - 1);
    (void)close(file);
    if (length < 0)
        return false;
    out_text[length] = '\0';
    return true;
}

static bool read_group_file(const char *mount, const char *group, const char *name,
                            char out_text[FILE_BYTES_MAX])
{
    char path[PATH_BYTES_MAX + 128];
    const int length = snprintf(path, sizeof(path), "%s%s%s/%s", GROUPS_ROOT, mount, group, name);
    return length > 0 && length < (int)sizeof(path) && read_file(path, out_text);
}

struct group_limits {
    uint32_t cores;
    uint64_t memory_bytes;
    uint64_t available_bytes;
};

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* What is left of a group's `limit`: its file cache would be given up. */
static uint64_t available_in_group(const char *mount, const char *group, uint64_t limit)
{
    static const char *const USAGE_FILES[] = {"memory.current", "memory.usage_in_bytes"};
    char text[FILE_BYTES_MAX];
    uint64_t usage = 0;
    uint64_t inactive = 0;
    uint64_t active = 0;
    for (size_t i = 0; i < sizeof(USAGE_FILES) / sizeof(USAGE_FILES[0]); i++)
        if (read_group_file(mount, group, USAGE_FILES[i], text))
            (void)machine_parse_memory(text, &usage);
    if (read_group_file(mount, group, "memory.stat", text)) {
        (void)machine_parse_row(text, "inactive_file ", &inactive);
        (void)machine_parse_row(text, "active_file ", &active);
    }
    const uint64_t held = usage - smaller(usage, inactive + active);
    return limit - smaller(limit, held);
}

/* Takes what one group of version 2 (mount "") or 1 allows when it is less. */
static void tighten(struct group_limits *limits, const char *mount, const char *group)
{
    char text[FILE_BYTES_MAX];
    char period[FILE_BYTES_MAX];
    uint32_t cores = 0;
    uint64_t bytes = 0;
    const bool has_cores =
        (read_group_file(mount, group, "cpu.max", text) && machine_parse_cpu_max(text, &cores)) ||
        (read_group_file(mount, group, "cpu.cfs_quota_us", text) &&
         read_group_file(mount, group, "cpu.cfs_period_us", period) &&
         machine_parse_cpu_quota(text, period, &cores));
    if (has_cores && cores < limits->cores)
        limits->cores = cores;
    const bool has_memory =
        (read_group_file(mount, group, "memory.max", text) && machine_parse_memory(text, &bytes)) ||
        (read_group_file(mount, group, "memory.limit_in_bytes", text) &&
         machine_parse_memory(text, &bytes));
    if (!has_memory)
        return;
    limits->memory_bytes = smaller(limits->memory_bytes, bytes);
    limits->available_bytes =
        smaller(limits->available_bytes, available_in_group(mount, group, bytes));
}

static void read_groups(struct group_limits *limits)
{
    static const struct {
        const char *controller;
        const char *mount;
    } HIERARCHIES[] = {{"", ""}, {"", "/unified"}, {"cpu", "/cpu"}, {"memory", "/memory"}};
    char text[FILE_BYTES_MAX];
    if (!read_file("/proc/self/cgroup", text))
        return;
    for (size_t i = 0; i < sizeof(HIERARCHIES) / sizeof(HIERARCHIES[0]); i++) {
        char group[PATH_BYTES_MAX];
        if (!machine_parse_group(text, HIERARCHIES[i].controller, group, sizeof(group)))
            continue;
        do
            tighten(limits, HIERARCHIES[i].mount, group);
        while (machine_leave_group(group));
    }
}

static uint32_t read_affinity(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
        return (uint32_t)CPU_COUNT(&set);
    const long online = sysconf(_SC_NPROCESSORS_ONLN); /* More CPUs than cpu_set_t has. */
    return online > 0 ? (uint32_t)online : 1;
}

void machine_read(struct machine *out_machine)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_bytes = sysconf(_SC_PAGESIZE);
    const uint32_t cores = read_affinity();
    const uint64_t memory_bytes =
        pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : 0;
    struct group_limits limits = {cores, memory_bytes, memory_bytes};
    char text[FILE_BYTES_MAX];
    uint64_t available_kib = 0;
    if (read_file("/proc/meminfo", text) &&
        machine_parse_row(text, "MemAvailable:", &available_kib))
        limits.available_bytes = smaller(memory_bytes, available_kib * KIB);
    read_groups(&limits);
    struct rlimit files = {0};
    (void)getrlimit(RLIMIT_NOFILE, &files);
    *out_machine = (struct machine){
        .cores = limits.cores,
        .memory_bytes = limits.memory_bytes,
        .available_bytes = limits.available_bytes,
        .files_max = files.rlim_cur,
        .is_cpu_limited = limits.cores < cores,
        .is_memory_limited = limits.memory_bytes < memory_bytes,
    };
}

uint64_t machine_memory_bytes(void)
{
    struct machine machine;
    machine_read(&machine);
    return machine.memory_bytes;
}

uint64_t machine_memory_available_bytes(void)
{
    struct machine machine;
    machine_read(&machine);
    return machine.available_bytes;
}

uint64_t machine_raise_files(uint64_t wanted)
{
    struct rlimit files = {0};
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return 0;
    if (files.rlim_cur >= wanted)
        return files.rlim_cur;
    struct rlimit raised = files;
    if (raised.rlim_max < wanted)
        raised.rlim_max = wanted; /* Only root may; then the kernel's nr_open is the end. */
    raised.rlim_cur = wanted;
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0)
        return wanted;
    raised = (struct rlimit){.rlim_cur = files.rlim_max, .rlim_max = files.rlim_max};
    return setrlimit(RLIMIT_NOFILE, &raised) == 0 ? files.rlim_max : files.rlim_cur;
}

uint32_t machine_threads(const struct machine *machine)
{
    return machine->cores > THREADS_MAX ? THREADS_MAX : machine->cores;
}

uint32_t machine_table_mib(const struct machine *machine, uint32_t threads)
{
    const uint64_t quarter_mib = smaller((machine->memory_bytes >> 20) / MEMORY_SHARE,
                                         (machine->available_bytes >> 20) / AVAILABLE_SHARE);
    const uint64_t most_mib = (uint64_t)threads * TABLE_MIB_PER_THREAD_MAX;
    const uint64_t mib = quarter_mib < most_mib ? quarter_mib : most_mib;
    return mib < TABLE_MIB_MIN ? TABLE_MIB_MIN : (uint32_t)mib;
}
