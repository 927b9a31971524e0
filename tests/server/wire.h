/* server/wire.h: the suites with real searches, one row each in wire.def.
 * Thread: the runner's. */
#ifndef TESTS_SERVER_WIRE_H
#define TESTS_SERVER_WIRE_H

#include <check.h>

#define SUITE(name) Suite *suite_##name(void);
#include "server/wire.def"
#undef SUITE

#endif
