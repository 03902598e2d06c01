/* Runs submissions. */
#ifndef ISLE_SOFT_EXEC_H
#define ISLE_SOFT_EXEC_H

#include "work.h"

/* Returns whether it was light: over so soon that nobody waits for its end. */
bool run_work(struct worker *w, struct context *c, uint64_t position);

#endif
