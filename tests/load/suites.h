/* load/suites.h: every suite of the load program, one row each in suites.def.
 * Thread: the runner's. */
#ifndef TESTS_LOAD_SUITES_H
#define TESTS_LOAD_SUITES_H

#include <check.h>

#define SUITE(name) Suite *suite_##name(void);
#include "load/suites.def"
#undef SUITE

#endif
