/* lab/suites.h: every suite of the room, one row each in suites.def.
 * Thread: the runner's. */
#ifndef TESTS_LAB_SUITES_H
#define TESTS_LAB_SUITES_H

#include <check.h>

/* Of cases in which one thread works alone, and long: TSan leaves them out. */
#define SUITE_TAG_ALONE "alone"

#define SUITE(name) Suite *suite_##name(void);
#include "lab/suites.def"
#undef SUITE

#endif
