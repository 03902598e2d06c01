/* One submission on its way through a compute unit. */
#ifndef ISLE_SOFT_WORK_H
#define ISLE_SOFT_WORK_H

#include "soft.h"

/* Everything that one running submission needs. */
struct exec {
    struct device *device;
    struct worker *worker;
    struct context *context;
    uint64_t position;
    bool deaf; /* hears of nothing but a reset */
    const isle_command *command;
    const isle_binding *bindings;
    atomic_int stop; /* 0, or why the work must stop: SOFT_LEFT, -EINTR, -ISLE_ECLOSED */
    _Atomic uint64_t helper_busy_ns;
    uint64_t bytes_read, bytes_written, kernels, noops, blocks, page_faults;
};

/* A loop that other workers help with. */
struct job {
    CACHE_LINE atomic_uint state; /* 1: open; + 2 a helper */
    _Atomic uint64_t next, count;
    void (*body)(struct exec *x, const void *args, uint64_t index);
    const void *args;
    struct exec *exec;
};

struct worker {
    CACHE_LINE struct device *device;
    uint32_t index;
    pthread_t thread;
    bool started;
    uint64_t cpu_anchor_ns; /* the thread's CPU clock when it was last read */
    uint64_t last_end_ns;
    uint64_t slow_ns; /* what a lower clock has yet to cost */
    _Atomic uint64_t busy_ns;
    _Atomic uint64_t bytes_moved;
    struct job job;
};

/* worker.c */
void parallel(struct exec *x, uint64_t count, void (*body)(struct exec *, const void *, uint64_t), const void *args);
uint64_t thread_cpu_ns(void);

/* exec.c */
void run_work(struct worker *w, struct context *c, uint64_t position);
/* Whether a running kernel must stop now. */
bool exec_stopped(struct exec *x);
/* Whether it has said so, to whichever unit: parts of the last loop were left out. */
static inline bool exec_was_stopped(const struct exec *x)
{
    return atomic_load_explicit(&x->stop, memory_order_relaxed) != 0;
}
/* Sleeps for `ns` (0: for ever), but not past a cancel of the context or, when it hears of it, a preemption. */
int exec_sleep(struct exec *x, uint64_t ns);

/* finish.c */
/* The status that work ends with, counted. */
uint32_t work_status(struct counters *n, int rc);
/* `lost`: its completion is kept, for a reset to tell. */
void work_finish(struct exec *x, struct work *w, isle_completion *done, bool lost);

/* kernels.c */
int run_copy(struct exec *x, const isle_op_copy *op);
int run_fill(struct exec *x, const isle_op_fill *op);
int run_dispatch(struct exec *x, const isle_op_dispatch *op);
/* NULL unless the binding allows all of `access`. */
uint8_t *binding_pointer(struct exec *x, uint32_t index, uint32_t access, uint64_t *length);

/* compute.c: a program behind PROGRAM_BUSY; pointers and lengths of its buffers by argument */
int run_compute(struct exec *x, uint32_t program, const isle_op_dispatch *op, uint8_t *const *pointer, const uint64_t *length);

/* faults.c */
/* 0 when the work goes on, else the code that it ends with; some faults end the process. */
int fault_meet(struct exec *x, const struct fault *f);

/* pages.c */
/* Before the work of a submission: brings back what lies on the CPU's side; -EHWPOISON when it names a faulty page. */
int pages_touch(struct exec *x);
/* An uncorrectable error at `offset` of what the submission's first memory binding names. */
int pages_poison(struct exec *x, uint64_t offset);

#endif
