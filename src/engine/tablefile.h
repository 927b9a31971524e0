/* engine/tablefile.h: whether a file of Syzygy tablebases is whole.
 * Who reads such files afterwards trusts them: a file cut off would be read past its end. So every
 * size that the head of a file names is added up, and must come to what the file has, and what
 * packs the values must be sound (tablepack.h). What stands in its blocks is not looked at.
 * Thread: any. */
#ifndef ENGINE_TABLEFILE_H
#define ENGINE_TABLEFILE_H

#include <stddef.h>

#include "chess/types.h"

enum { TABLEFILE_MEN_MAX = 7 };

/* Men a side besides its king; the side named first is White. */
struct tablefile_men {
    uint8_t count[COLOR_COUNT][KING];
};
unsigned tablefile_men_total(const struct tablefile_men *men); /* The kings, too. */

enum tablefile_kind { TABLEFILE_WDL, TABLEFILE_DTZ };

/* "KQvKR.rtbw", "KQvKR.rtbz"; false for any other name. */
bool tablefile_parse(const char *name, struct tablefile_men *out_men,
                     enum tablefile_kind *out_kind);

/* What is wrong with a file's bytes: a few words, or NULL. `bytes` at an even address. out_is_wide:
 * distances stand in it in two bytes each. */
const char *tablefile_fault(const uint8_t *bytes, size_t size, const struct tablefile_men *men,
                            enum tablefile_kind kind, bool *out_is_wide);
/* The same for the file at `path`, which may be none. */
const char *tablefile_check(const char *path, const struct tablefile_men *men,
                            enum tablefile_kind kind, bool *out_is_wide);

#endif
