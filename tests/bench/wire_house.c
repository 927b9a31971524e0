#include "bench/wire_house.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

_Noreturn void bench_fail(const char *what)
{
    (void)fprintf(stderr, "bench_wire: %s\n", what);
    exit(EXIT_FAILURE);
}

static void read_address(struct wire_house *house)
{
    static const char MARK[] = " ready on ";
    char line[256] = {0};
    for (size_t length = 0; length < sizeof(line) - 1; length++) {
        if (read(house->output, line + length, 1) != 1)
            bench_fail("the server did not become ready");
        if (line[length] == '\n')
            break;
    }
    const char *start = strstr(line, MARK);
    if (start == NULL)
        bench_fail("the server said something else than that it is ready");
    start += sizeof(MARK) - 1;
    const size_t length = strcspn(start, ",\n");
    if (length >= sizeof(house->address))
        bench_fail("the server's address is too long");
    memcpy(house->address, start, length);
    house->address[length] = '\0';
}

void wire_house_open(struct wire_house *house, const char *program, const char *const words[4])
{
    int ends[2];
    if (pipe(ends) != 0)
        bench_fail("no pipe");
    house->process = fork();
    if (house->process < 0)
        bench_fail("no process");
    if (house->process == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        (void)execl(program, program, "--listen", "127.0.0.1:0", words[0], words[1], words[2],
                    words[3], (char *)NULL);
        _exit(EXIT_FAILURE);
    }
    (void)close(ends[1]);
    house->output = ends[0];
    read_address(house);
}

void wire_house_close(struct wire_house *house)
{
    int status = 0;
    (void)kill(house->process, SIGTERM);
    if (waitpid(house->process, &status, 0) != house->process || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 0)
        bench_fail("the server did not end well");
    (void)close(house->output);
}

uint64_t wire_house_resident(const struct wire_house *house)
{
    char path[64];
    unsigned long long pages = 0;
    (void)snprintf(path, sizeof(path), "/proc/%d/statm", (int)house->process);
    FILE *file = fopen(path, "re");
    if (file == NULL || fscanf(file, "%*u %llu", &pages) != 1)
        bench_fail("the server's memory cannot be read");
    (void)fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void wire_house_connect(const struct wire_house *house, struct client *client)
{
    if (!client_connect(client, house->address))
        bench_fail("the server does not accept");
}

const char *wire_house_ask(struct client *client, const char *text, const char *start)
{
    const char *line = client_ask(client, text, start);
    if (line == NULL)
        bench_fail("the server does not answer");
    return line;
}
