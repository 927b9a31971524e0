/* engine/picker.h: the next move worth trying, stage by stage.
 * Table move; good noisy by MVV-LVA and capture history; killers; countermove; quiets by history;
 * bad noisy. Lazy: nothing is generated before its stage, keys are made when a stage begins, and
 * each request is one pass of selection. Ties keep generation order. Thread: the worker that holds
 * it. */
#ifndef ENGINE_PICKER_H
#define ENGINE_PICKER_H

#include "chess/movegen.h"
#include "engine/history.h"
#include "engine/threats.h"

enum picker_stage {
    PICKER_TABLE,
    PICKER_NOISY_START,
    PICKER_NOISY,
    PICKER_KILLER_1,
    PICKER_KILLER_2,
    PICKER_COUNTERMOVE,
    PICKER_QUIET_START,
    PICKER_QUIET,
    PICKER_BAD_NOISY,
    PICKER_UNSTAGED_START, /* The lab's alone, with staged generation off. */
    PICKER_UNSTAGED,
    PICKER_DONE
};

struct picker {
    const struct position *position;
    const struct history_context *context;
    const struct threats *threats; /* NULL: the picker finds them when it needs them. */
    enum picker_stage stage;       /* Where the next move comes from. */
    enum picker_stage given;       /* Where the last move given came from. */
    move_t table_move, killers[2], countermove;
    bool noisy_only;
    bool skip_quiets;    /* May be set at any time: no quiet move is given any more. */
    int see_threshold;   /* Noisy moves below it are bad: held back, or left out when noisy_only. */
    uint64_t fair;       /* Noisy moves, by index, that are known to reach it. */
    unsigned begin, end; /* Of the moves that the stage selects from. */
    unsigned bad_count, bad_next;
    uint8_t bad[MOVES_MAX]; /* Indexes of noisy moves held back, best first. */
    move_t moves[MOVES_MAX];
    int32_t keys[MOVES_MAX];
};

/* For the main search; under-promotions count as bad noisy. table_move may be anything: it is
 * checked. */
void picker_init(struct picker *picker, const struct position *position,
                 const struct history_context *context, move_t table_move);
/* For quiescence and ProbCut: the noisy moves that reach see_threshold, under-promotions last. In
 * check all evasions, as in the main search, with this threshold between good and bad. */
void picker_init_noisy(struct picker *picker, const struct position *position,
                       const struct history_context *context, move_t table_move, int see_threshold);

/* The next move, legal, each exactly once; MOVE_NONE when there are no more. */
move_t picker_next(struct picker *picker);

#endif
