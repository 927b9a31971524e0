#include "load/behaviours.h"

#include <stddef.h>

const struct behaviour *behaviour_of(enum behaviour_id id)
{
    switch (id) {
    case BOTS: return behaviour_bot();
    case MOVERS: return behaviour_mover();
    case ANALYSTS: return behaviour_analyst();
    case WATCHERS: return behaviour_watcher();
    case PINGERS: return behaviour_pinger();
    case PIPELINERS: return behaviour_pipeliner();
    case TINKERERS: return behaviour_tinkerer();
    case SLOW: return behaviour_slow();
    case VANISHERS: return behaviour_vanisher();
    case STRANGERS: return behaviour_stranger();
    case BEHAVIOUR_COUNT: break;
    }
    return NULL;
}
