/* server/suites.h: every suite of the room, one row each in suites.def.
 * Thread: the runner's. */
#ifndef TESTS_SERVER_SUITES_H
#define TESTS_SERVER_SUITES_H

#include <check.h>

#define SUITE(name) Suite *suite_##name(void);
#include "server/suites.def"
#undef SUITE

#endif
