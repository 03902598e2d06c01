/* Loops that idle units help with. */
#ifndef ISLE_SOFT_LOOP_H
#define ISLE_SOFT_LOOP_H

#include "work.h"

/* Runs the pieces 0 .. count - 1, each once, on this unit and idle ones; returns early when the work is stopped, see exec_was_stopped. */
void parallel(struct exec *x, uint64_t count, loop_body *body, const void *args);
/* Bodies ask this at least once in 100 us of work, and before a piece's first. */
bool piece_left(struct exec *x, const struct piece *p);
bool loop_open(struct device *d, struct job *j);
/* Takes part in somebody's loop; false when there is none. */
bool loop_help(struct worker *w);

#endif
