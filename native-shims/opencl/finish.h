/* How a submission ends. */
#ifndef ISLE_OPENCL_FINISH_H
#define ISLE_OPENCL_FINISH_H

#include "opencl.h"

/* One of those who use the place is done with it; the last one ends the submission. */
void work_unref(struct work *w);
/* Callbacks of this library that have not returned. */
extern atomic_uint callbacks_inside;
void on_complete(cl_event event, cl_int status, void *work);
void on_running(cl_event event, cl_int status, void *work);

#endif
