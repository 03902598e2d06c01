/* Injected faults. */
#ifndef ISLE_SOFT_FAULTS_H
#define ISLE_SOFT_FAULTS_H

#include "work.h"

extern const isle_fault_injection_vtable soft_faults;
/* The fault that the next submission meets, or kind 0. */
struct fault faults_take(struct device *d);
/* 0 when the work goes on, else the code that it ends with; some faults end the process. */
int fault_meet(struct exec *x, const struct fault *f);

#endif
