#include "base/processor.h"

void processors_read(struct processors *out_processors)
{
    out_processors->is_known = pthread_getaffinity_np(pthread_self(), sizeof out_processors->set,
                                                      &out_processors->set) == 0;
}

bool processor_hand_over(pthread_t thread, const struct processors *allowed)
{
    const int number = sched_getcpu();
    if (!allowed->is_known || number < 0 || number >= CPU_SETSIZE)
        return false;
    const size_t here = (size_t)number;
    if (!CPU_ISSET(here, &allowed->set))
        return false;
    cpu_set_t alone;
    CPU_ZERO(&alone);
    CPU_SET(here, &alone);
    return pthread_setaffinity_np(thread, sizeof alone, &alone) == 0;
}

void processors_restore(const struct processors *processors)
{
    (void)pthread_setaffinity_np(pthread_self(), sizeof processors->set, &processors->set);
}

unsigned processor_level(void)
{
#ifdef __x86_64__
    const bool is_v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                       __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool is_v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                       __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512vl");
    return is_v3 && is_v4 ? 4 : is_v3 ? 3 : 1;
#else
    return 0;
#endif
}
