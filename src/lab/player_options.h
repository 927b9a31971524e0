/* lab/player_options.h: what sets a player apart, in words:
 * "Hash=16,Nodes=8000,Off=killers+history". Thread: any. */
#ifndef LAB_PLAYER_OPTIONS_H
#define LAB_PLAYER_OPTIONS_H

#include "base/text.h"
#include "lab/player.h"

struct player_options_fault {
    struct slice word;
    const char *why;
};

/* Hash (MiB), Nodes, Depth, MoveTime (ms), Time and Increment (ms), UCI_Elo, EvalFile, Off and Only
 * (techniques of ordering, joined by '+'; Only: all others are off), and in a build for tuning the
 * rows of engine/tune.h. The first limit named takes the place of all those before. Each is named
 * once at most, Off and Only once together; in a further text each takes the place of what it was.
 * Words are parted by commas or line feeds, and a line that begins with '#' is passed over. False:
 * *out_fault is the first word that cannot be used; settings is as it was. */
bool player_settings_parse(struct player_settings *settings, struct slice words,
                           struct player_options_fault *out_fault);

/* Whether there is a clock that an increment could be added to, or no increment. */
bool player_increment_is_of_use(const struct player_settings *settings);

/* Reads the network that `EvalFile` names; *out_network is the caller's to destroy, NULL when none
 * is named. False: out_error says what is wrong with it. */
bool player_settings_load(struct player_settings *settings, struct rk_network **out_network,
                          char out_error[RK_NETWORK_ERROR_BYTES_MAX]);
void player_network_destroy(struct rk_network *network); /* NULL is fine. */

/* Techniques joined by '+', "mvv-lva" and its like, as bits. */
bool switches_parse(struct slice names, uint32_t *out_bits);

#endif
