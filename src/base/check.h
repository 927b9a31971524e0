/* base/check.h: checks of what must be true.
 * ASSERT: a programmer's error, in debug builds only. REQUIRE: always, on cold paths. Neither
 * checks input. Thread: any. */
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

#include <assert.h> /* static_assert */

/* Prints where and what, then aborts. */
_Noreturn void check_failed(const char *file, int line, const char *expression);

#define REQUIRE(expression) ((expression) ? (void)0 : check_failed(__FILE__, __LINE__, #expression))

#ifdef ROOKERY_DEBUG
#define ASSERT(expression) REQUIRE(expression)
#else
#define ASSERT(expression) ((void)sizeof((expression) ? 1 : 0))
#endif

#endif
