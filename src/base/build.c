#include "rookery/version.h"

#ifndef ROOKERY_LEVEL
#ifdef __x86_64__
#define ROOKERY_LEVEL "x86-64"
#elif defined __aarch64__
#define ROOKERY_LEVEL "arm64"
#else
#define ROOKERY_LEVEL "generic"
#endif
#endif

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

#ifdef ROOKERY_TUNE
#define PURPOSE " tune"
#else
#define PURPOSE ""
#endif

const char *rk_build_text(void) { return RK_VERSION " " COMPILER " " ROOKERY_LEVEL PURPOSE; }
