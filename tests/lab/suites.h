/* lab/suites.h: every suite of the room, one row each in suites.def.
 * Thread: the runner's. */
#ifndef TESTS_LAB_SUITES_H
#define TESTS_LAB_SUITES_H

#include <check.h>

#define SUITE(name) Suite *suite_##name(void);
#include "lab/suites.def"
#undef SUITE

#endif
