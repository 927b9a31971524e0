/* rookeryd: serves UCI to many clients at once. Foreground; one line when ready. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "app/config.h"
#include "base/file.h"
#include "base/log.h"
#include "base/machine.h"
#include "rookery/engine.h"
#include "rookery/version.h"
#include "server/notify.h"
#include "server/server.h"

enum { EXIT_USAGE = 2, NAME_BYTES_MAX = 64 };

struct command_line {
    const char *config_path;
    bool only_checks;
};

static int fail(int code, const char *message)
{
    (void)fprintf(stderr, "rookeryd: %s\n", message);
    return code;
}

static void print_help(void)
{
    char rows[CONFIG_DOCUMENT_BYTES_MAX];
    (void)config_help(rows, sizeof(rows));
    (void)printf("rookeryd " RK_VERSION ": a chess engine that many can talk to at once\n"
                 "usage: rookeryd [OPTION]...\n"
                 "  --config FILE\n      Reads FILE first; options go over it.\n"
                 "  --check-config\n"
                 "      Tells the first thing wrong with the file and the options, then ends.\n"
                 "  --print-config\n      Prints a file with every key at its default, then ends.\n"
                 "  --version, -h, --help\n%s",
                 rows);
}

static int print_config(void)
{
    char text[CONFIG_DOCUMENT_BYTES_MAX];
    const size_t length = config_document(text, sizeof(text));
    return fwrite(text, 1, length, stdout) == length ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* One word of the command line, or two: "--name VALUE", "--name=VALUE", or a flag. */
struct option {
    char name[NAME_BYTES_MAX]; /* As in the file: "hash_mib" for "--hash-mib". */
    const char *value;         /* NULL for a flag. */
};

static bool is_flag(const char *name)
{
    static const char *const FLAGS[] = {"help", "version", "print_config", "check_config"};
    for (size_t i = 0; i < sizeof(FLAGS) / sizeof(FLAGS[0]); i++)
        if (strcmp(FLAGS[i], name) == 0)
            return true;
    return false;
}

static bool is_known(const char *name)
{
    return is_flag(name) || strcmp(name, "config") == 0 || config_has(name);
}

/* Reads the option at *at and moves on; false after saying what is wrong with it. */
static bool read_option(int count, char **arguments, int *at, struct option *out_option)
{
    char message[256];
    const char *word = strcmp(arguments[*at], "-h") == 0 ? "--help" : arguments[*at];
    (*at)++;
    const size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;
    if (length == 0 || length >= NAME_BYTES_MAX) {
        (void)snprintf(message, sizeof(message), "'%.100s' is not an option; see --help", word);
        (void)fail(EXIT_USAGE, message);
        return false;
    }
    for (size_t i = 0; i < length; i++)
        out_option->name[i] = word[i + 2] == '-' ? '_' : word[i + 2];
    out_option->name[length] = '\0';
    if (strcmp(out_option->name, "syzygy") == 0) /* As the tool has it. */
        (void)snprintf(out_option->name, NAME_BYTES_MAX, "syzygy_path");
    out_option->value = NULL;
    if (!is_known(out_option->name)) {
        (void)snprintf(message, sizeof(message), "there is no option '%.100s'; see --help", word);
        (void)fail(EXIT_USAGE, message);
        return false;
    }
    if (word[2 + length] == '=')
        out_option->value = word + 3 + length;
    else if (!is_flag(out_option->name) && *at < count)
        out_option->value = arguments[(*at)++];
    if (is_flag(out_option->name) == (out_option->value == NULL))
        return true;
    (void)snprintf(message, sizeof(message), "%.100s: %s; see --help", word,
                   is_flag(out_option->name) ? "no value may follow" : "a value must follow");
    (void)fail(EXIT_USAGE, message);
    return false;
}

/* The file and the flags. An exit code when the program is to end now, else -1. */
static int read_first(int count, char **arguments, struct command_line *out_line)
{
    for (int at = 1; at < count;) {
        struct option option;
        if (!read_option(count, arguments, &at, &option))
            return EXIT_USAGE;
        if (strcmp(option.name, "help") == 0) {
            print_help();
            return EXIT_SUCCESS;
        }
        if (strcmp(option.name, "version") == 0) {
            (void)printf("rookeryd " RK_VERSION ", library %s\n", rk_build_text());
            return EXIT_SUCCESS;
        }
        if (strcmp(option.name, "print_config") == 0)
            return print_config();
        if (strcmp(option.name, "check_config") == 0)
            out_line->only_checks = true;
        if (strcmp(option.name, "config") == 0)
            out_line->config_path = option.value;
    }
    return -1;
}

/* The options that are keys of the file as well; read_first has seen that each is whole. */
static int read_keys(int count, char **arguments, struct config *config)
{
    char error[CONFIG_ERROR_BYTES_MAX];
    char message[CONFIG_ERROR_BYTES_MAX + 32];
    for (int at = 1; at < count;) {
        struct option option;
        if (!read_option(count, arguments, &at, &option))
            return EXIT_USAGE;
        if (option.value == NULL || strcmp(option.name, "config") == 0)
            continue;
        if (config_set(config, CONFIG_COMMAND_LINE, option.name, option.value, error) == RK_OK)
            continue;
        (void)snprintf(message, sizeof(message), "%s; see --help", error);
        return fail(EXIT_USAGE, message);
    }
    return EXIT_SUCCESS;
}

static void measure(const struct config *config, struct machine *out_machine)
{
    const uint64_t wanted = config_files_wanted(config);
    const uint64_t files_max = machine_raise_files(wanted);
    if (files_max < wanted)
        log_write(LOG_WARNING,
                  "only %ju files may be open (RLIMIT_NOFILE), not %ju: fewer clients than "
                  "clients_max can be served",
                  (uintmax_t)files_max, (uintmax_t)wanted);
    machine_read(out_machine);
}

/* Known keys would let a client craft positions that collide with its neighbours' in the table. */
static enum rk_status seed_keys(void)
{
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof(seed), 0) != (ssize_t)sizeof(seed))
        return RK_SYSTEM;
    return rk_seed_keys(seed);
}

/* The pages of a large table take seconds to come, and nothing answers until then: who waits is
 * told why, unless a silent log is wanted. */
static void tell_of_table(uint32_t table_mib)
{
    enum { SLOW_TABLE_MIB = 2048 };
    log_write(table_mib >= SLOW_TABLE_MIB ? LOG_WARNING : LOG_INFO,
              "preparing a table of %u MiB: about a second for each GiB", table_mib);
}

/* Before anybody searches. What is wrong with them does not keep the house closed. */
static uint32_t open_tablebases(const char *path)
{
    struct rk_tablebases tablebases;
    if (*path == '\0')
        return 0;
    const enum rk_status status = rk_tablebases_open(NULL, path, &tablebases);
    if (status != RK_OK) {
        log_write(LOG_WARNING, "syzygy_path: %s", rk_status_text(status));
        return 0;
    }
    unsigned said = 0;
    for (char *line = tablebases.faults, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        log_write(LOG_WARNING, "syzygy_path: %.*s", (int)(end - line), line);
        said++;
    }
    if (said < tablebases.fault_count)
        log_write(LOG_WARNING, "syzygy_path: %u files more are not used",
                  tablebases.fault_count - said);
    log_write(LOG_INFO, "tablebases of up to %u men: %u with results, %u with distances",
              tablebases.men, tablebases.results, tablebases.distances);
    return tablebases.men;
}

/* False after saying what is wrong with the network that the operator named. */
static bool load_network(const struct config *config, struct rk_network **out_network)
{
    char error[RK_NETWORK_ERROR_BYTES_MAX];
    char message[CONFIG_PATH_BYTES_MAX + RK_NETWORK_ERROR_BYTES_MAX + 16];
    *out_network = NULL;
    if (*config->eval_file == '\0' ||
        rk_network_load(config->eval_file, out_network, error) == RK_OK)
        return true;
    (void)snprintf(message, sizeof(message), "eval_file '%s': %s", config->eval_file, error);
    (void)fail(EXIT_USAGE, message);
    return false;
}

/* Of what its maker says of it, the first line. */
static void tell_of_network(const struct config *config, const struct rk_network *network)
{
    if (network == NULL)
        return;
    const char *description = rk_network_description(network);
    log_write(LOG_INFO, "evaluation by %s: %.*s", config->eval_file,
              (int)strcspn(description, "\n"), description);
}

static int serve(const struct config *config, const struct rk_network *network)
{
    struct machine machine;
    struct server_options options;
    struct server *server = NULL;
    char error[SERVER_ERROR_BYTES_MAX];
    char addresses[SERVER_TEXT_BYTES_MAX];
    if (seed_keys() != RK_OK)
        return fail(EXIT_FAILURE, "the kernel gives no random numbers");
    measure(config, &machine);
    config_resolve(config, &machine, &options);
    options.has_signals = true;
    options.network = network;
    options.inherited_count = notify_sockets();
    if (options.inherited_count > 0 && config->listen_source == CONFIG_DEFAULT)
        options.listen_count = 0;
    if (options.listen_count + options.inherited_count > LISTENERS_MAX)
        return fail(EXIT_FAILURE, "more than 8 addresses, those of the service manager included");
    const uint32_t men = open_tablebases(config->syzygy_path);
    tell_of_table(options.table_mib);
    if (server_create(&options, &server, error) != RK_OK)
        return fail(EXIT_FAILURE, error);
    server_addresses(server, addresses);
    char tablebases[32] = "";
    if (men > 0)
        (void)snprintf(tablebases, sizeof(tablebases), ", tablebases of %u men", men);
    (void)printf("rookeryd " RK_VERSION " ready on %s, %u thread%s, hash %u MiB%s\n", addresses,
                 options.threads, options.threads == 1 ? "" : "s", options.table_mib, tablebases);
    (void)fflush(stdout);
    const enum rk_status status = server_run(server);
    server_destroy(server);
    return status == RK_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Words that could not be said are a failure, as on a full disk. */
static int words_said(int code)
{
    return file_flush(stdout) || code != EXIT_SUCCESS ? code : EXIT_FAILURE;
}

int main(int count, char **arguments)
{
    struct command_line line = {0};
    struct config config;
    char error[CONFIG_ERROR_BYTES_MAX];
    const int first = read_first(count, arguments, &line);
    if (first >= 0)
        return words_said(first);
    config_init(&config);
    if (line.config_path != NULL && config_read(&config, line.config_path, error) != RK_OK)
        return fail(EXIT_USAGE, error);
    const int code = read_keys(count, arguments, &config);
    if (code != EXIT_SUCCESS)
        return code;
    struct rk_network *network;
    if (!load_network(&config, &network))
        return EXIT_USAGE;
    int exit_code = EXIT_SUCCESS;
    if (line.only_checks) {
        (void)printf("%s: ok\n", line.config_path == NULL ? "options" : line.config_path);
        exit_code = words_said(exit_code);
    } else {
        log_open(STDERR_FILENO, config.log_level);
        tell_of_network(&config, network);
        exit_code = serve(&config, network);
    }
    rk_network_unload(network);
    return exit_code;
}
