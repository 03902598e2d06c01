/* How a submission ends. */
#ifndef ISLE_SOFT_FINISH_H
#define ISLE_SOFT_FINISH_H

#include "work.h"

/* The status that work ends with, counted. */
uint32_t work_status(struct counters *n, int rc);
/* `lost`: its completion is kept, for a reset to tell. */
void work_finish(struct exec *x, struct work *w, isle_completion *done, bool lost);

#endif
