/* rookery/rookery.h: all the doors of librookery at once.
 * Thread: see each door. */
#ifndef ROOKERY_ROOKERY_H
#define ROOKERY_ROOKERY_H

#include "rookery/engine.h"
#include "rookery/game.h"
#include "rookery/session.h"
#include "rookery/status.h"
#include "rookery/version.h"

#endif
