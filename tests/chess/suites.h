/* chess/suites.h: every suite of the room, one row each in suites.def.
 * Thread: the runner's. */
#ifndef TESTS_CHESS_SUITES_H
#define TESTS_CHESS_SUITES_H

#include <check.h>

/* For one test: under a sanitizer, on a busy machine. */
enum { SUITE_SECONDS_MAX = 300 };

#define SUITE(name) Suite *suite_##name(void);
#include "chess/suites.def"
#undef SUITE

#endif
