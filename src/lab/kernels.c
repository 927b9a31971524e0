#include "lab/kernels.h"

#include "base/processor.h"

/* kernels_loops.c, once for each level. */
const struct kernels *kernels_plain(void);
#ifdef ROOKERY_KERNEL_LEVELS
const struct kernels *kernels_v3(void);
const struct kernels *kernels_v4(void);
#endif

unsigned kernels_all(const struct kernels *out_kernels[KERNELS_LEVELS_MAX])
{
    unsigned count = 0;
    out_kernels[count++] = kernels_plain();
#ifdef ROOKERY_KERNEL_LEVELS
    if (processor_level() >= 3)
        out_kernels[count++] = kernels_v3();
    if (processor_level() >= 4)
        out_kernels[count++] = kernels_v4();
#endif
    return count;
}

const struct kernels *kernels_best(void)
{
    const struct kernels *all[KERNELS_LEVELS_MAX];
    return all[kernels_all(all) - 1];
}
