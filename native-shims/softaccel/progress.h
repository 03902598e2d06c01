/* What stays of work that left the engine in its middle. */
#ifndef ISLE_SOFT_PROGRESS_H
#define ISLE_SOFT_PROGRESS_H

#include "work.h"

/* Memory that the operation has until its end, in a later stretch too; the same order of calls in each. NULL: none left. */
void *exec_keep(struct exec *x, uint64_t bytes);
void exec_drop_kept(struct exec *x);
/* Keeps how far the work is for the next submission of its context; false when there is no memory for it. */
bool progress_keep(struct exec *x, const struct work *w);
/* Whether this is the submission that left, but for the tag, which each has of its own. */
bool progress_is_of(const struct progress *p, const struct work *w);
/* Goes on with `p`, which is gone. */
void progress_take(struct exec *x, struct progress *p);
void progress_drop(struct progress *p);

#endif
