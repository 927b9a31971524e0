/* load/house.h: a rookeryd of its own, as a child: with a configuration written for the load, and
 * looked at from outside by the files that the kernel keeps of it.
 * Thread: one. */
#ifndef TESTS_LOAD_HOUSE_H
#define TESTS_LOAD_HOUSE_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "load/plan.h"

struct house {
    pid_t process; /* 0: none of its own. */
    int output;
    char address[64]; /* IPV4:PORT */
    char config_path[64];
};

struct house_size {
    uint64_t resident_bytes;
    uint64_t threads;
    uint64_t files; /* Open descriptors. */
};

/* Starts it and waits until it is ready. False after saying on stderr what is wrong. */
bool house_open(struct house *house, const struct plan *plan);
/* SIGTERM, and waits for its end; false after saying on stderr how it ended if not well, which is
 * also how a sanitizer tells that it has found something. */
bool house_close(struct house *house);

/* A first conversation, after which all is open that is opened once. */
bool house_greet(const struct house *house, const struct sockaddr_in *address);

bool house_measure(const struct house *house, struct house_size *out_size);

#endif
