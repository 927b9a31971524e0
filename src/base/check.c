#include "base/check.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void check_failed(const char *file, int line, const char *expression)
{
    (void)fprintf(stderr, "%s:%d: not true: %s\n", file, line, expression);
    abort();
}
