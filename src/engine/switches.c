#include "engine/switches.h"

#include <string.h>

#include "base/check.h"

static const char *const NAMES[SWITCH_COUNT] = {[SWITCH_TABLE_MOVE] = "table-move",
                                                [SWITCH_MVV_LVA] = "mvv-lva",
                                                [SWITCH_PROMOTIONS] = "promotions",
                                                [SWITCH_CAPTURE_HISTORY] = "capture-history",
                                                [SWITCH_SEE_ORDERING] = "see-ordering",
                                                [SWITCH_KILLERS] = "killers",
                                                [SWITCH_COUNTERMOVES] = "countermoves",
                                                [SWITCH_HISTORY] = "history",
                                                [SWITCH_CONTINUATION_HISTORY] =
                                                    "continuation-history",
                                                [SWITCH_THREATS] = "threats",
                                                [SWITCH_STAGED_GENERATION] = "staged-generation"};

const char *switch_name(enum ordering_switch technique)
{
    ASSERT(technique < SWITCH_COUNT);
    return NAMES[technique];
}

bool switch_parse(const char *name, enum ordering_switch *out_technique)
{
    for (unsigned i = 0; i < SWITCH_COUNT; i++)
        if (strcmp(name, NAMES[i]) == 0) {
            *out_technique = (enum ordering_switch)i;
            return true;
        }
    return false;
}
