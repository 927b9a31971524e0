#include "app/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/suites.h"

/* What reading `text` as the file "f" answers; "" when all is well. */
static const char *read_error(struct config *config, const char *text, size_t length)
{
    static char error[CONFIG_ERROR_BYTES_MAX];
    error[0] = '\0';
    config_init(config);
    const enum rk_status status = config_read_text(config, "f", text, length, error);
    ck_assert_int_eq(status, error[0] == '\0' ? RK_OK : RK_BAD_ARGUMENT);
    return error;
}

static void expect_read(struct config *config, const char *text)
{
    ck_assert_str_eq(read_error(config, text, strlen(text)), "");
}

static void expect_refused(const char *text, const char *error)
{
    struct config config;
    struct config before;
    config_init(&before);
    const char *said = read_error(&config, text, strlen(text));
    ck_assert_msg(strncmp(said, error, strlen(error)) == 0, "'%s' gave '%s'", text, said);
    ck_assert_mem_eq(&config, &before, sizeof(config)); /* All or nothing. */
}

START_TEST(a_file_sets_what_it_names)
{
    struct config config;
    expect_read(&config, "");
    ck_assert_uint_eq(config.listen_count, 1);
    ck_assert_uint_eq(config.listen[0].port, 9824);
    ck_assert_uint_eq(config.threads, 0);
    ck_assert_int_eq(config.log_level, LOG_WARNING);
    expect_read(&config, "# a comment\n; another\n\n  \nthreads = 4\r\nhash=64\n"
                         "listen = [::1]:1\nlisten = unix:/tmp/x\nlog_level = debug ; inline\n"
                         "idle_seconds = 0\nclients_max = auto\nsearches_max: 7");
    ck_assert_uint_eq(config.threads, 4);
    ck_assert_uint_eq(config.hash_mib, 64);
    ck_assert_uint_eq(config.listen_count, 2);
    ck_assert_int_eq(config.listen[0].kind, ADDRESS_IPV6);
    ck_assert_int_eq(config.listen[1].kind, ADDRESS_UNIX);
    ck_assert_int_eq(config.log_level, LOG_DEBUG);
    ck_assert_uint_eq(config.searches_max, 7);
    ck_assert_str_eq(config.syzygy_path, "");
    expect_read(&config, "syzygy_path = /a b:/c\n");
    ck_assert_str_eq(config.syzygy_path, "/a b:/c");
    ck_assert_str_eq(config.eval_file, "");
    expect_read(&config, "eval_file = /some/where else/a.network\n");
    ck_assert_str_eq(config.eval_file, "/some/where else/a.network");
    expect_read(&config, "\xef\xbb\xbfthreads = 2\n");
    ck_assert_uint_eq(config.threads, 2);
    expect_read(&config, "threads = 2\n  hash = 64\n\t # a comment\n   \n\tsearches_max = 3");
    ck_assert_uint_eq(config.hash_mib, 64); /* An indented line is a line as any other. */
    ck_assert_uint_eq(config.searches_max, 3);
}
END_TEST

START_TEST(what_is_wrong_is_told_with_its_line)
{
    expect_refused("threads = 0\n", "f:1: threads: '0' is not a number from 1 to 1024 or auto");
    expect_refused("\n\nthreads = 1025\n", "f:3: threads: '1025' is not");
    expect_refused("threads = 2x\n", "f:1: threads: '2x'");
    expect_refused("threads =\n", "f:1: threads: ''");
    expect_refused("threads = -1\n", "f:1: threads: '-1'");
    expect_refused("threads = 99999999999999999999\n", "f:1: threads: '9999");
    expect_refused("idle_seconds = auto\n", "f:1: idle_seconds: 'auto' is not a number from 0");
    expect_refused("drain_ms = 10001\n", "f:1: drain_ms: '10001'");
    expect_refused("hash = 33554433\n", "f:1: hash: '33554433'");
    expect_refused("hash = 64\nhash = 65\n", "f:2: hash is given twice");
    expect_refused("hash = 64\n 65\n", "f:2: this is not KEY = VALUE");
    expect_refused("hash = 64\n\n \t hash = 65\n", "f:3: hash is given twice");
    expect_refused("Threads = 1\n", "f:1: there is no key 'Threads'");
    expect_refused("threads 4\n", "f:1: this is not KEY = VALUE");
    expect_refused("threads = 4\n[server]\nhash = 1\n",
                   "f:2: there are no sections, but here is '[server]'");
    expect_refused("threads = 4\n\n  [empty]\r\n", "f:3: there are no sections, but here is");
    expect_refused("\xef\xbb\xbf[empty]", "f:1: there are no sections, but here is '[empty]'");
    expect_refused("[server\nhash = 1\n", "f:1: there are no sections, but here is '[server'");
    expect_refused("hash = 1\n\f\v[server]\n", "f:2: there are no sections");
    expect_refused("bad\n[server]\n", "f:1: this is not KEY = VALUE");
    expect_refused("listen = example.org:1\n", "f:1: listen: 'example.org:1' is none of");
    expect_refused("log_level = loud\n", "f:1: log_level: 'loud' is none of");
    expect_refused("hash = 1\n\x01\xff = \xfe\n", "f:2: there is no key '");
    expect_refused("listen=1.1.1.1:1\nlisten=1.1.1.1:2\nlisten=1.1.1.1:3\nlisten=1.1.1.1:4\n"
                   "listen=1.1.1.1:5\nlisten=1.1.1.1:6\nlisten=1.1.1.1:7\nlisten=1.1.1.1:8\n"
                   "listen=1.1.1.1:9\n",
                   "f:9: listen: '1.1.1.1:9' is one address too many");
}
END_TEST

START_TEST(lines_have_a_limit_and_no_zero_bytes)
{
    struct config config;
    char text[1000];
    memset(text, 'a', sizeof(text));
    memcpy(text, "hash = 1\n#", 10);
    text[999] = '\n';
    ck_assert_str_eq(read_error(&config, text, sizeof(text)), "");
    memcpy(text, "hash = 1\neval_file = ", 21);
    ck_assert_str_eq(read_error(&config, text, sizeof(text)),
                     "f:2: the line is longer than a file may have (198 bytes); the command line "
                     "takes longer values");
    ck_assert_str_eq(read_error(&config, "hash\0= 1\n", 9), "f:1: a zero byte stands in the line");
}
END_TEST

START_TEST(the_command_line_goes_over_the_file)
{
    struct config config;
    char error[CONFIG_ERROR_BYTES_MAX];
    expect_read(&config, "listen = 1.1.1.1:1\nlisten = 1.1.1.1:2\nthreads = 3\n");
    ck_assert(config_set(&config, CONFIG_COMMAND_LINE, "listen", "2.2.2.2:3", error) == RK_OK);
    ck_assert(config_set(&config, CONFIG_COMMAND_LINE, "listen", "2.2.2.2:4", error) == RK_OK);
    ck_assert(config_set(&config, CONFIG_COMMAND_LINE, "threads", "5", error) == RK_OK);
    ck_assert_uint_eq(config.listen_count, 2);
    ck_assert_uint_eq(config.listen[0].port, 3);
    ck_assert_uint_eq(config.listen[1].port, 4);
    ck_assert_uint_eq(config.threads, 5);
    static char path[RK_TABLEBASE_PATH_BYTES_MAX + 1];
    memset(path, 'x', sizeof(path) - 1);
    ck_assert(config_set(&config, CONFIG_COMMAND_LINE, "syzygy_path", path, error) ==
              RK_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error, "syzygy_path: 'xxx"));
    path[sizeof(path) - 2] = '\0';
    ck_assert(config_set(&config, CONFIG_COMMAND_LINE, "syzygy_path", path, error) == RK_OK);
    ck_assert_str_eq(config.syzygy_path, path);
}
END_TEST

START_TEST(files_are_read_or_told_about)
{
    struct config config;
    char error[CONFIG_ERROR_BYTES_MAX] = "";
    char path[] = "/tmp/rookery-config-XXXXXX";
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    config_init(&config);
    ck_assert_int_eq(write(file, "threads = 6\n", 12), 12);
    ck_assert(config_read(&config, path, error) == RK_OK);
    ck_assert_uint_eq(config.threads, 6);
    for (int i = 0; i < CONFIG_FILE_BYTES_MAX / 8; i++)
        ck_assert_int_eq(write(file, "#abcdef\n", 8), 8);
    ck_assert(config_read(&config, path, error) == RK_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error, ":1: longer than"));
    (void)close(file);
    (void)unlink(path);
    ck_assert(config_read(&config, path, error) == RK_SYSTEM);
    ck_assert_ptr_nonnull(strstr(error, "cannot be read: No such file"));
    ck_assert(config_read(&config, "/", error) == RK_SYSTEM);
    ck_assert_ptr_nonnull(strstr(error, "cannot be read: Is a directory"));
    ck_assert_int_eq(mkfifo(path, 0600), 0); /* Nobody will ever write into it. */
    ck_assert(config_read(&config, path, error) == RK_SYSTEM);
    ck_assert_ptr_nonnull(strstr(error, "cannot be read: it is no ordinary file"));
    (void)unlink(path);
}
END_TEST

START_TEST(auto_is_what_the_machine_gives)
{
    struct config config;
    struct server_options options;
    const struct machine small = {.cores = 2,
                                  .memory_bytes = (uint64_t)4 << 30,
                                  .available_bytes = (uint64_t)4 << 30,
                                  .files_max = 256};
    config_init(&config);
    config_resolve(&config, &small, &options);
    ck_assert_uint_eq(options.threads, 2);
    ck_assert_uint_eq(options.table_mib, 1024);
    ck_assert_uint_eq(options.threads_per_search, 2);
    ck_assert_uint_eq(options.searches_max, 32);
    ck_assert_uint_eq(options.memories_max, 32);
    ck_assert_uint_eq(options.clients_max, 192);
    ck_assert_uint_eq(options.listen_count, 1);
    const struct machine large = {.cores = 64,
                                  .memory_bytes = (uint64_t)512 << 30,
                                  .available_bytes = (uint64_t)512 << 30,
                                  .files_max = 1 << 20};
    config_resolve(&config, &large, &options);
    ck_assert_uint_eq(options.searches_max, 256);
    ck_assert_uint_eq(options.clients_max, 1024);
    ck_assert_uint_eq(options.table_mib, 32768);
    ck_assert_uint_gt(config_files_wanted(&config), 1024);
    expect_read(&config, "threads = 1\nhash = 5\nsearches_max = 9\nmemories_max = 3\n"
                         "clients_max = 100\nthreads_per_search = 1\n");
    config_resolve(&config, &large, &options);
    ck_assert_uint_eq(options.threads, 1);
    ck_assert_uint_eq(options.table_mib, 5);
    ck_assert_uint_eq(options.searches_max, 9);
    ck_assert_uint_eq(options.memories_max, 3);
    ck_assert_uint_eq(options.clients_max, 100);
    ck_assert_uint_eq(options.threads_per_search, 1);
}
END_TEST

START_TEST(limits_are_off_until_they_are_set)
{
    struct config config;
    struct server_options options;
    const struct machine machine = {.cores = 2, .files_max = 1 << 20};
    expect_read(&config, "");
    config_resolve(&config, &machine, &options);
    ck_assert_uint_eq(options.searches_per_client, 2);
    ck_assert_uint_eq(options.searches_per_address, 0);
    ck_assert_uint_eq(options.clients_per_address, 0);
    ck_assert_uint_eq(options.caps.movetime_max_ms, 0);
    ck_assert_uint_eq(options.caps.depth_max, 0);
    ck_assert_uint_eq(options.caps.nodes_max, 0);
    ck_assert_uint_eq(options.caps.infinite_max_s, 0);
    expect_read(&config, "searches_per_client = 1\nsearches_per_address = 3\n"
                         "clients_per_address = 4\nmovetime_max = 5000\ndepth_max = 30\n"
                         "nodes_max = 4294967295\ninfinite_max = 7\n");
    config_resolve(&config, &machine, &options);
    ck_assert_uint_eq(options.searches_per_client, 1);
    ck_assert_uint_eq(options.searches_per_address, 3);
    ck_assert_uint_eq(options.clients_per_address, 4);
    ck_assert_uint_eq(options.caps.movetime_max_ms, 5000);
    ck_assert_uint_eq(options.caps.depth_max, 30);
    ck_assert_uint_eq(options.caps.nodes_max, UINT32_MAX);
    ck_assert_uint_eq(options.caps.infinite_max_s, 7);
    expect_refused("searches_per_client = 3\n", "f:1: searches_per_client: '3' is not");
    expect_refused("depth_max = 240\n", "f:1: depth_max: '240' is not");
    expect_refused("nodes_max = 4294967296\n", "f:1: nodes_max: '4294967296' is not");
}
END_TEST

/* The file that ships is what the table says, and, uncommented, changes nothing. */
START_TEST(the_documented_file_is_the_table)
{
    static char text[CONFIG_DOCUMENT_BYTES_MAX];
    static char shipped[CONFIG_DOCUMENT_BYTES_MAX];
    struct config config;
    struct config defaults;
    const size_t length = config_document(text, sizeof(text));
    FILE *file = fopen(CONF_FILE, "re");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(shipped, 1, sizeof(shipped), file), length);
    (void)fclose(file);
    ck_assert_mem_eq(shipped, text, length);
    for (char *at = text; at < text + length; at++)
        if (*at == '#' && at[1] != ' ')
            *at = ' ';
    expect_read(&config, text);
    config_init(&defaults);
    config.listen_source = defaults.listen_source;
    ck_assert_mem_eq(&config, &defaults, sizeof(config));
}
END_TEST

START_TEST(help_names_every_key)
{
    static char help[CONFIG_DOCUMENT_BYTES_MAX];
    (void)config_help(help, sizeof(help));
    ck_assert_ptr_nonnull(strstr(help, "--listen ADDR:PORT\n"));
    ck_assert_ptr_nonnull(strstr(help, "--threads-per-search N\n"));
    ck_assert_ptr_nonnull(strstr(help, "--log-level LEVEL\n"));
    ck_assert_ptr_nonnull(strstr(help, "--syzygy-path PATH\n"));
}
END_TEST

Suite *suite_config(void)
{
    Suite *suite = suite_create("config");
    TCase *tests = tcase_create("config");
    tcase_add_test(tests, a_file_sets_what_it_names);
    tcase_add_test(tests, what_is_wrong_is_told_with_its_line);
    tcase_add_test(tests, lines_have_a_limit_and_no_zero_bytes);
    tcase_add_test(tests, the_command_line_goes_over_the_file);
    tcase_add_test(tests, files_are_read_or_told_about);
    tcase_add_test(tests, auto_is_what_the_machine_gives);
    tcase_add_test(tests, limits_are_off_until_they_are_set);
    tcase_add_test(tests, the_documented_file_is_the_table);
    tcase_add_test(tests, help_names_every_key);
    suite_add_tcase(suite, tests);
    return suite;
}
