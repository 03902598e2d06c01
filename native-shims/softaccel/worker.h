/* The compute units. */
#ifndef ISLE_SOFT_WORKER_H
#define ISLE_SOFT_WORKER_H

#include "soft.h"

IoResultCode workers_start(struct device *d);
void workers_stop(struct device *d);

#endif
