/* app/config.h: what an operator decides. One table: name, range, default, one line of help; the
 * conf file, the command line, --help and conf/rookeryd.conf all come from it.
 * Thread: main, before the loop. */
#ifndef APP_CONFIG_H
#define APP_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/log.h"
#include "base/machine.h"
#include "rookery/engine.h"
#include "server/server.h"

enum {
    CONFIG_FILE_BYTES_MAX = 64 * 1024,
    CONFIG_ERROR_BYTES_MAX = 512,
    CONFIG_DOCUMENT_BYTES_MAX = 16 * 1024,
    CONFIG_PATH_BYTES_MAX = RK_TABLEBASE_PATH_BYTES_MAX
};

/* Later ones go over earlier ones; `listen` of one replaces all of the one before. */
enum config_source { CONFIG_DEFAULT, CONFIG_FILE, CONFIG_COMMAND_LINE };

struct config {
    struct address listen[LISTENERS_MAX];
    uint32_t listen_count;
    enum config_source listen_source;
    /* 0 is "auto" where the table says so. */
    uint32_t threads;
    uint32_t hash_mib;
    uint32_t threads_per_search;
    uint32_t searches_max;
    uint32_t memories_max;
    uint32_t searches_per_client;
    uint32_t searches_per_address;
    uint32_t clients_max;
    uint32_t clients_per_address;
    uint32_t movetime_max_ms;
    uint32_t depth_max;
    uint32_t nodes_max;
    uint32_t infinite_max_s;
    uint32_t hello_s;
    uint32_t idle_s;
    uint32_t unread_s;
    uint32_t drain_ms;
    char syzygy_path[CONFIG_PATH_BYTES_MAX]; /* "": none. */
    char eval_file[CONFIG_PATH_BYTES_MAX];   /* "": what is built in evaluates. */
    enum log_level log_level;
};

void config_init(struct config *config); /* Defaults. */

bool config_has(const char *name); /* Whether there is such a key. */

/* One key. RK_BAD_ARGUMENT: out_error says what is wrong with it. */
enum rk_status config_set(struct config *config, enum config_source source, const char *name,
                          const char *value, char out_error[CONFIG_ERROR_BYTES_MAX]);

/* A whole file, or its text under the name `path`. RK_BAD_ARGUMENT: out_error is
 * "PATH:LINE: what"; RK_SYSTEM: it cannot be read. */
enum rk_status config_read(struct config *config, const char *path,
                           char out_error[CONFIG_ERROR_BYTES_MAX]);
enum rk_status config_read_text(struct config *config, const char *path, const char *text,
                                size_t length, char out_error[CONFIG_ERROR_BYTES_MAX]);

/* How many files the process must be able to open for the clients it may have. */
uint64_t config_files_wanted(const struct config *config);

/* Puts numbers in the place of "auto", from what the process may use. */
void config_resolve(const struct config *config, const struct machine *machine,
                    struct server_options *out_options);

/* The documented file that changes nothing, and the lines of --help. Return the length. */
size_t config_document(char *out_text, size_t bytes);
size_t config_help(char *out_text, size_t bytes);

#endif
