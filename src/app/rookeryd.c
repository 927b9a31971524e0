/* rookeryd: serves UCI to many clients at once. Foreground; one line when ready. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "app/config.h"
#include "base/log.h"
#include "base/machine.h"
#include "rookery/game.h"
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
                 "  --check-config\n      Tells what is wrong with the file and the options, then "
                 "ends.\n"
                 "  --print-config\n      Prints a file with every key at its default, then ends.\n"
                 "  --version, --help\n%s",
                 rows);
}

static int print_config(void)
{
    char text[CONFIG_DOCUMENT_BYTES_MAX];
    const size_t length = config_document(text, sizeof(text));
    return fwrite(text, 1, length, stdout) == length ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* "--hash-thing" to "hash_thing". */
static bool option_name(const char *argument, char out_name[NAME_BYTES_MAX])
{
    const size_t length = strlen(argument);
    if (length < 3 || length - 2 >= NAME_BYTES_MAX || strncmp(argument, "--", 2) != 0)
        return false;
    for (size_t i = 0; i <= length - 2; i++)
        out_name[i] = argument[i + 2] == '-' ? '_' : argument[i + 2];
    return true;
}

/* Finds --config, and the options that end at once; -1: none of them. */
static int read_first(int count, char **arguments, struct command_line *out_line)
{
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--help") == 0) {
            print_help();
            return EXIT_SUCCESS;
        }
        if (strcmp(arguments[i], "--version") == 0) {
            (void)printf("rookeryd " RK_VERSION "\n");
            return EXIT_SUCCESS;
        }
        if (strcmp(arguments[i], "--print-config") == 0)
            return print_config();
        if (strcmp(arguments[i], "--check-config") == 0) {
            out_line->only_checks = true;
            continue;
        }
        if (i + 1 == count)
            break; /* A value is missing: read_options says so. */
        if (strcmp(arguments[i], "--config") == 0)
            out_line->config_path = arguments[i + 1];
        i++;
    }
    return -1;
}

/* The options that are keys of the file as well. */
static int read_options(int count, char **arguments, struct config *config)
{
    char error[CONFIG_ERROR_BYTES_MAX];
    char message[CONFIG_ERROR_BYTES_MAX + NAME_BYTES_MAX];
    for (int i = 1; i < count; i++) {
        char name[NAME_BYTES_MAX];
        if (strcmp(arguments[i], "--check-config") == 0)
            continue;
        if (!option_name(arguments[i], name)) {
            (void)snprintf(message, sizeof(message), "'%.100s' is not an option; see --help",
                           arguments[i]);
            return fail(EXIT_USAGE, message);
        }
        if (i + 1 == count) {
            (void)snprintf(message, sizeof(message), "%s: a value must follow; see --help",
                           arguments[i]);
            return fail(EXIT_USAGE, message);
        }
        const char *value = arguments[++i];
        if (strcmp(name, "config") == 0)
            continue;
        if (config_set(config, CONFIG_COMMAND_LINE, name, value, error) != RK_OK) {
            (void)snprintf(message, sizeof(message), "%s; see --help", error);
            return fail(EXIT_USAGE, message);
        }
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

static int serve(const struct config *config)
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
    options.inherited_count = notify_sockets();
    if (options.inherited_count > 0 && config->listen_source == CONFIG_DEFAULT)
        options.listen_count = 0;
    if (options.listen_count + options.inherited_count > LISTENERS_MAX)
        return fail(EXIT_FAILURE, "more than 8 addresses, those of the service manager included");
    if (server_create(&options, &server, error) != RK_OK)
        return fail(EXIT_FAILURE, error);
    server_addresses(server, addresses);
    (void)printf("rookeryd " RK_VERSION " ready on %s, %u threads, hash %u MiB\n", addresses,
                 options.threads, options.table_mib);
    (void)fflush(stdout);
    const enum rk_status status = server_run(server);
    server_destroy(server);
    return status == RK_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int count, char **arguments)
{
    struct command_line line = {0};
    struct config config;
    char error[CONFIG_ERROR_BYTES_MAX];
    const int first = read_first(count, arguments, &line);
    if (first >= 0)
        return first;
    config_init(&config);
    if (line.config_path != NULL && config_read(&config, line.config_path, error) != RK_OK)
        return fail(EXIT_USAGE, error);
    const int code = read_options(count, arguments, &config);
    if (code != EXIT_SUCCESS)
        return code;
    if (line.only_checks) {
        (void)printf("%s: ok\n", line.config_path == NULL ? "options" : line.config_path);
        return EXIT_SUCCESS;
    }
    log_open(STDERR_FILENO, config.log_level);
    return serve(&config);
}
