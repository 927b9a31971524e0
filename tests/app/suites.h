/* app/suites.h: every suite of the room, one row each in suites.def.
 * Thread: the runner's. */
#ifndef TESTS_APP_SUITES_H
#define TESTS_APP_SUITES_H

#include <check.h>

#define SUITE(name) Suite *suite_##name(void);
#include "app/suites.def"
#undef SUITE

#endif
