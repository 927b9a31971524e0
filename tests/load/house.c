#include "load/house.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"

enum { CONFIG_BYTES_MAX = 256, SPARE_CLIENTS = 64, LET_GO_US = 300000 };

/* -- Its configuration ------------------------------------------------------------------------ */

/* Room for all clients, and a few who have not left yet. */
static void write_config(const struct plan *plan, struct text *text)
{
    (void)text_add(text, "listen = 127.0.0.1:0\n");
    (void)text_add(text, "hash = 64\n");
    (void)text_add(text, "log_level = error\n"); /* It is warned of strangers all the time. */
    (void)text_add(text, "clients_max = ");
    (void)text_add_uint(text, plan->clients + SPARE_CLIENTS);
    (void)text_add_char(text, '\n');
}

/* The keys of the plan are words of the command line, which go over the file. */
static void add_words(const struct plan *plan, char words[][128], char *arguments[])
{
    for (uint32_t i = 0; i < plan->key_count; i++) {
        (void)snprintf(words[i], sizeof(words[i]), "--%s", plan->keys[i]);
        arguments[i] = words[i];
    }
}

static bool store_config(struct house *house, const char *text, size_t length)
{
    (void)snprintf(house->config_path, sizeof(house->config_path), "/tmp/rookery-load-XXXXXX");
    const int file = mkstemp(house->config_path);
    if (file < 0)
        return false;
    const bool is_written = write(file, text, length) == (ssize_t)length;
    return close(file) == 0 && is_written;
}

/* -- Its life --------------------------------------------------------------------------------- */

static bool read_address(struct house *house)
{
    static const char MARK[] = " ready on ";
    char line[256] = {0};
    for (size_t length = 0; length < sizeof(line) - 1; length++)
        if (read(house->output, line + length, 1) != 1 || line[length] == '\n')
            break;
    const char *start = strstr(line, MARK);
    if (start == NULL)
        return false;
    start += sizeof(MARK) - 1;
    const size_t length = strcspn(start, ",\n");
    if (length >= sizeof(house->address))
        return false;
    memcpy(house->address, start, length);
    house->address[length] = '\0';
    return true;
}

static bool start(struct house *house, const struct plan *plan)
{
    char words[PLAN_KEYS_MAX][128];
    char program[512];
    char config[] = "--config";
    char *arguments[PLAN_KEYS_MAX + 4] = {program, config, house->config_path};
    int ends[2];
    (void)snprintf(program, sizeof(program), "%s", plan->program);
    add_words(plan, words, arguments + 3);
    if (pipe(ends) != 0)
        return false;
    house->output = ends[0];
    house->process = fork();
    if (house->process == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        (void)execv(program, arguments);
        _exit(EXIT_FAILURE);
    }
    (void)close(ends[1]);
    return house->process > 0 && read_address(house);
}

bool house_open(struct house *house, const struct plan *plan)
{
    char config[CONFIG_BYTES_MAX];
    struct text text;
    *house = (struct house){.output = -1};
    if (plan->program == NULL) {
        (void)snprintf(house->address, sizeof(house->address), "%s", plan->address);
        return true;
    }
    text_init(&text, config, sizeof(config));
    write_config(plan, &text);
    if (store_config(house, text.bytes, text.length) && start(house, plan))
        return true;
    (void)fprintf(stderr, "load: '%s' does not become ready\n", plan->program);
    if (house->process > 0)
        (void)house_close(house);
    return false;
}

bool house_greet(const struct house *house, const struct sockaddr_in *address)
{
    static const char WORDS[] = "isready\nquit\n";
    char answer[256];
    if (house->process <= 0)
        return true;
    const int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_good =
        file >= 0 &&
        connect(file, (const struct sockaddr *)(const void *)address, sizeof(*address)) == 0 &&
        send(file, WORDS, sizeof(WORDS) - 1, MSG_NOSIGNAL) == sizeof(WORDS) - 1 &&
        recv(file, answer, sizeof(answer), 0) > 0;
    while (is_good && recv(file, answer, sizeof(answer), 0) > 0)
        continue;
    if (file >= 0)
        (void)close(file);
    (void)usleep(LET_GO_US);
    return is_good;
}

bool house_close(struct house *house)
{
    int status = 0;
    if (house->process <= 0)
        return true;
    (void)kill(house->process, SIGTERM);
    const bool is_gone = waitpid(house->process, &status, 0) == house->process;
    (void)close(house->output);
    (void)unlink(house->config_path);
    house->process = 0;
    if (is_gone && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    (void)fprintf(stderr, "load: the server ended badly: %s %d\n",
                  WIFSIGNALED(status) ? "signal" : "status",
                  WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return false;
}

/* -- Its size --------------------------------------------------------------------------------- */

static bool count_entries(const struct house *house, const char *kind, uint64_t *out_count)
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/%d/%s", (int)house->process, kind);
    DIR *directory = opendir(path);
    if (directory == NULL)
        return false;
    *out_count = 0;
    for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory))
        *out_count += entry->d_name[0] == '.' ? 0 : 1;
    return closedir(directory) == 0;
}

bool house_measure(const struct house *house, struct house_size *out_size)
{
    char path[64];
    unsigned long long pages = 0;
    if (house->process <= 0)
        return false;
    (void)snprintf(path, sizeof(path), "/proc/%d/statm", (int)house->process);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    const bool is_read = fscanf(file, "%*u %llu", &pages) == 1;
    (void)fclose(file);
    out_size->resident_bytes = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
    return is_read && count_entries(house, "task", &out_size->threads) &&
           count_entries(house, "fd", &out_size->files);
}
