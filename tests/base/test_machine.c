#include "base/machine.h"

#include <sys/resource.h>
#include <unistd.h>

#include "base/suites.h"

static const char MIXED[] = "13:cpuset:/elsewhere\n"
                            "4:memory:/pods/a1\n"
                            "2:cpu,cpuacct:/slice/b2\n"
                            "1:name=systemd:/named\n"
                            "0::/system.slice/rookeryd.service\n";

START_TEST(cpu_max_gives_cores)
{
    uint32_t cores = 99;
    ck_assert(!machine_parse_cpu_max("max 100000\n", &cores));
    ck_assert(!machine_parse_cpu_max("", &cores));
    ck_assert(!machine_parse_cpu_max("100000", &cores));
    ck_assert(!machine_parse_cpu_max("100000 0\n", &cores));
    ck_assert(!machine_parse_cpu_max("x y\n", &cores));
    ck_assert_uint_eq(cores, 99);
    ck_assert(machine_parse_cpu_max("200000 100000\n", &cores));
    ck_assert_uint_eq(cores, 2);
    ck_assert(machine_parse_cpu_max("150000 100000\n", &cores));
    ck_assert_uint_eq(cores, 2);
    ck_assert(machine_parse_cpu_max("1000 100000\n", &cores));
    ck_assert_uint_eq(cores, 1);
    ck_assert(machine_parse_cpu_max("9223372036854775807 1\n", &cores));
    ck_assert_uint_eq(cores, 1024);
}
END_TEST

START_TEST(cpu_quota_of_version_1_gives_cores)
{
    uint32_t cores = 99;
    ck_assert(!machine_parse_cpu_quota("-1\n", "100000\n", &cores));
    ck_assert(!machine_parse_cpu_quota("", "100000\n", &cores));
    ck_assert_uint_eq(cores, 99);
    ck_assert(machine_parse_cpu_quota("350000\n", "100000\n", &cores));
    ck_assert_uint_eq(cores, 4);
}
END_TEST

START_TEST(memory_max_gives_bytes)
{
    uint64_t bytes = 99;
    ck_assert(!machine_parse_memory("max\n", &bytes));
    ck_assert(!machine_parse_memory("\n", &bytes));
    ck_assert(!machine_parse_memory("-1\n", &bytes));
    ck_assert_uint_eq(bytes, 99);
    ck_assert(machine_parse_memory("1073741824\n", &bytes));
    ck_assert_uint_eq(bytes, 1073741824);
    /* What version 1 says for "no limit" is just a very large number. */
    ck_assert(machine_parse_memory("9223372036854771712\n", &bytes));
    ck_assert_uint_eq(bytes, 9223372036854771712u);
}
END_TEST

START_TEST(rows_are_found_by_name)
{
    static const char text[] = "MemTotal:       24683560 kB\nMemAvailable:   23500000 kB\nx:";
    uint64_t number = 99;
    ck_assert(!machine_parse_row(text, "Available:", &number));
    ck_assert(!machine_parse_row(text, "x:", &number));
    ck_assert(!machine_parse_row("", "x:", &number));
    ck_assert_uint_eq(number, 99);
    ck_assert(machine_parse_row(text, "MemAvailable:", &number));
    ck_assert_uint_eq(number, 23500000);
}
END_TEST

static void expect_group(const char *controller, const char *path)
{
    char out_path[64] = "untouched";
    ck_assert(machine_parse_group(MIXED, controller, out_path, sizeof(out_path)));
    ck_assert_str_eq(out_path, path);
}

START_TEST(groups_are_found_by_controller)
{
    char path[64] = "untouched";
    expect_group("", "/system.slice/rookeryd.service");
    expect_group("memory", "/pods/a1");
    expect_group("cpu", "/slice/b2");
    expect_group("cpuacct", "/slice/b2");
    ck_assert(!machine_parse_group(MIXED, "cpus", path, sizeof(path)));
    ck_assert(!machine_parse_group("", "", path, sizeof(path)));
    ck_assert(!machine_parse_group("nonsense\n:\n", "cpu", path, sizeof(path)));
    ck_assert(!machine_parse_group(MIXED, "memory", path, 8));
    ck_assert_str_eq(path, "untouched");
    ck_assert(machine_parse_group("0::/\n", "", path, sizeof(path)));
    ck_assert_str_eq(path, "");
    ck_assert(machine_parse_group("0::/last", "", path, sizeof(path)));
    ck_assert_str_eq(path, "/last");
}
END_TEST

START_TEST(groups_are_left_upwards)
{
    char path[] = "/a/b";
    ck_assert(machine_leave_group(path));
    ck_assert_str_eq(path, "/a");
    ck_assert(machine_leave_group(path));
    ck_assert_str_eq(path, "");
    ck_assert(!machine_leave_group(path));
}
END_TEST

START_TEST(sizes_follow_the_machine)
{
    struct machine machine = {
        .cores = 2, .memory_bytes = (uint64_t)24 << 30, .available_bytes = (uint64_t)24 << 30};
    ck_assert_uint_eq(machine_threads(&machine), 2);
    ck_assert_uint_eq(machine_table_mib(&machine, 2), 1024);
    ck_assert_uint_eq(machine_table_mib(&machine, 1), 512);
    machine.memory_bytes = (uint64_t)1 << 30;
    ck_assert_uint_eq(machine_table_mib(&machine, 2), 256);
    machine.available_bytes = (uint64_t)300 << 20;
    ck_assert_uint_eq(machine_table_mib(&machine, 2), 150);
    machine.memory_bytes = (uint64_t)32 << 20;
    ck_assert_uint_eq(machine_table_mib(&machine, 2), 16);
    machine.cores = 5000;
    ck_assert_uint_eq(machine_threads(&machine), 1024);
}
END_TEST

START_TEST(this_machine_has_something)
{
    struct machine machine = {0};
    machine_read(&machine);
    ck_assert_uint_ge(machine.cores, 1);
    const uint64_t physical = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    ck_assert_uint_le(machine.memory_bytes, physical);
    ck_assert_uint_gt(machine.available_bytes, (uint64_t)1 << 20);
    ck_assert_uint_le(machine.available_bytes, machine.memory_bytes);
    ck_assert_uint_eq(machine_memory_bytes(), machine.memory_bytes);
    ck_assert_uint_le(machine_memory_available_bytes(), machine.memory_bytes);
    ck_assert_uint_gt(machine.files_max, 2);
}
END_TEST

START_TEST(files_are_raised_and_never_lowered)
{
    struct rlimit files;
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &files), 0);
    const rlim_t hard = files.rlim_max;
    files.rlim_cur = 64;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &files), 0);
    ck_assert_uint_eq(machine_raise_files(32), 64);
    ck_assert_uint_eq(machine_raise_files(128), 128);
    ck_assert_uint_ge(machine_raise_files(UINT64_MAX / 2), hard);
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &files), 0);
    ck_assert_uint_ge(files.rlim_cur, hard);
}
END_TEST

Suite *suite_machine(void)
{
    Suite *suite = suite_create("machine");
    TCase *tests = tcase_create("machine");
    tcase_add_test(tests, cpu_max_gives_cores);
    tcase_add_test(tests, cpu_quota_of_version_1_gives_cores);
    tcase_add_test(tests, memory_max_gives_bytes);
    tcase_add_test(tests, rows_are_found_by_name);
    tcase_add_test(tests, groups_are_found_by_controller);
    tcase_add_test(tests, groups_are_left_upwards);
    tcase_add_test(tests, sizes_follow_the_machine);
    tcase_add_test(tests, this_machine_has_something);
    tcase_add_test(tests, files_are_raised_and_never_lowered);
    suite_add_tcase(suite, tests);
    return suite;
}
