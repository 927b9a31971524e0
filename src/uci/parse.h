/* uci/parse.h: line to command. Pure: the same line gives the same command, nothing is kept.
 * Thread: any. */
#ifndef UCI_PARSE_H
#define UCI_PARSE_H

#include "uci/command.h"

/* `line` may hold any bytes; *out_command points into it. */
void parse_command(struct slice line, struct command *out_command);

#endif
