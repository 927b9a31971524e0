/* bench/wire_house.h: a rookeryd of its own for a measurement, as a child process.
 * Thread: main. */
#ifndef TESTS_BENCH_WIRE_HOUSE_H
#define TESTS_BENCH_WIRE_HOUSE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "support/client.h"

struct wire_house {
    pid_t process;
    int output; /* Its stdout. */
    char address[64];
};

/* Starts `program` on a free port of 127.0.0.1 with up to four more words, NULL after the last, and
 * waits until it is ready. Ends this program when that fails. */
void wire_house_open(struct wire_house *house, const char *program, const char *const words[4]);
/* SIGTERM, and waits for its end. */
void wire_house_close(struct wire_house *house);

/* A client of it. Ends this program when it is not let in. */
void wire_house_connect(const struct wire_house *house, struct client *client);
/* Says `text` and waits for the line that begins with `start`; ends this program when none comes.
 */
const char *wire_house_ask(struct client *client, const char *text, const char *start);

/* Resident memory in bytes. */
uint64_t wire_house_resident(const struct wire_house *house);

/* Says why, then ends this program. */
_Noreturn void bench_fail(const char *what);

#endif
