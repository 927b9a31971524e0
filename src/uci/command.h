/* uci/command.h: one line of a client, understood: a tagged union whose slices point into the line.
 * Thread: any. */
#ifndef UCI_COMMAND_H
#define UCI_COMMAND_H

#include "base/text.h"
#include "rookery/engine.h"

enum command_kind {
    COMMAND_NONE, /* A blank line, or not one word of it is known. */
    COMMAND_UCI,
    COMMAND_DEBUG,
    COMMAND_ISREADY,
    COMMAND_SETOPTION,
    COMMAND_REGISTER,
    COMMAND_UCINEWGAME,
    COMMAND_POSITION,
    COMMAND_GO,
    COMMAND_STOP,
    COMMAND_PONDERHIT,
    COMMAND_QUIT
};

/* What is wrong with the arguments: the first fault of the line. A `go` is obeyed all the same,
 * since each must get its bestmove; other commands with a fault change nothing. */
enum command_fault {
    FAULT_NONE,
    FAULT_NOTHING_FOLLOWS, /* An argument is missing after `fault_after`. */
    FAULT_WORD,            /* `fault_word` is not understood after `fault_after`. */
    FAULT_NUMBER,          /* `fault_word` should be a number. */
    FAULT_RANGE            /* `fault_word` is outside what `fault_after` allows, and was clamped. */
};

struct command_setoption {
    struct slice name;
    struct slice value; /* Length 0 when there is none. */
};

struct command_position {
    bool is_start;
    struct slice fen;   /* When not is_start: up to `moves`, as the client wrote it. */
    struct slice moves; /* What follows `moves`; length 0 when nothing does. */
};

struct command_go {
    struct rk_limits limits; /* overhead_ms is left 0. */
    bool has_searchmoves;
    /* A limit was given that says nothing: zero, negative or unreadable. */
    bool has_void_limit;
    struct slice searchmoves;
    uint32_t perft_depth; /* 0: a search. */
};

struct command {
    enum command_kind kind;
    enum command_fault fault;
    struct slice fault_after;
    struct slice fault_word;
    union {
        bool debug;
        struct command_setoption setoption;
        struct command_position position;
        struct command_go go;
    };
};

#endif
