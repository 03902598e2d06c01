#ifndef ISLE_OPENCL_FAULTS_H
#define ISLE_OPENCL_FAULTS_H

#include "opencl.h"

/* Crashes on request; only with the setting fault_injection. */
extern const isle_fault_injection_vtable opencl_faults;

/* A submission is about to be enqueued: it may be the one that ends the process. By the issuers. */
void faults_meet(struct device *d);

#endif
