/* One submission on its way through a compute unit. */
#ifndef ISLE_SOFT_WORK_H
#define ISLE_SOFT_WORK_H

#include "soft.h"

struct exec;

/* A piece of a loop, and how far it is: all that its body needs to go on in the middle, on any unit. */
struct piece {
    uint64_t index;
    uint64_t done;      /* the body's own measure; 0: not begun */
    bool helper;        /* the unit is not the one that runs the submission */
    uint32_t state[16]; /* the body's; of no value while `done` is 0 */
};
/* Returns true when the piece is done, false when it was left because piece_left said so. */
typedef bool loop_body(struct exec *x, const void *args, struct piece *p);

#define EXEC_KEPT 2u

/* How far a submission is. A kernel that goes on runs through its code again; loops that are done return at once. */
struct progress {
    uint32_t op;         /* the operation that it is in; those before are done */
    uint32_t loops;      /* of that operation, done */
    uint64_t next;       /* of the loop after these: pieces from here on have not been begun */
    uint32_t left;       /* pieces that were begun and are not done */
    struct piece *piece; /* these */
    uint64_t done;       /* of an operation without loops: the kernel's own measure */
    void *kept[EXEC_KEPT]; /* memory of the operation, see exec_keep */
    uint64_t ran_ns;     /* in stretches before this one */
    uint64_t owed_ns;    /* of sleep, for a lower clock or an injected latency */
    uint32_t fault;      /* injected, that shows at the end */
    uint32_t others;     /* submissions that came instead of this one */
    uint32_t length;     /* of the envelope */
    const uint8_t *command;
};

/* Everything that one running submission needs. */
struct exec {
    struct device *device;
    struct worker *worker;
    struct context *context;
    uint64_t position;
    bool deaf; /* hears of nothing but a reset */
    const isle_command *command;
    const isle_binding *bindings;
    struct progress at;
    uint32_t loop, kept; /* of this operation, met in this stretch */
    atomic_int stop;     /* 0, or why the work must stop: SOFT_LEFT, -EINTR, -ISLE_ECLOSED */
    _Atomic uint64_t helper_busy_ns;
    struct {
        uint64_t bytes_read, bytes_written, kernels, blocks;
    } did; /* by operations that are done */
    uint64_t cpu_ns, page_faults;
};

/* A loop that other workers help with: first the pieces that were left, then new ones from `first` on. */
struct job {
    CACHE_LINE atomic_uint state; /* 1: open; + 2 a helper */
    _Atomic uint64_t next, count; /* claims */
    uint64_t first;
    uint32_t left;
    const struct piece *piece;
    atomic_uint unfinished_count;
    struct piece *unfinished;
    loop_body *body;
    const void *args;
    struct exec *exec;
};

struct worker {
    CACHE_LINE struct device *device;
    uint32_t index;
    pthread_t thread;
    bool started;
    uint64_t last_end_ns;
    uint64_t slow_ns; /* what a lower clock has yet to cost */
    _Atomic uint64_t busy_ns;
    _Atomic uint64_t bytes_moved;
    struct job job;
    struct piece *pieces; /* room for twice as many as there are units: those of a loop, and those that become of them */
};

/* worker.c */
uint64_t thread_cpu_ns(void);

/* loop.c */
/* Runs the pieces 0 .. count - 1, each once, on this unit and idle ones; returns early when the work is stopped, see exec_was_stopped. */
void parallel(struct exec *x, uint64_t count, loop_body *body, const void *args);
/* Bodies ask this at least once in 100 us of work, and before a piece's first. */
bool piece_left(struct exec *x, const struct piece *p);
bool loop_open(struct device *d, struct job *j);
/* Takes part in somebody's loop; false when there is none. */
bool loop_help(struct worker *w);

/* exec.c */
/* Returns whether it was light: over so soon that nobody waits for its end. */
bool run_work(struct worker *w, struct context *c, uint64_t position);
/* Whether a running kernel must stop now. */
bool exec_stopped(struct exec *x);
bool exec_told_to_leave(const struct exec *x, PreemptionGranularity least);
/* Whether it has said so, to whichever unit: parts of the last loop were left out. */
static inline bool exec_was_stopped(const struct exec *x)
{
    return atomic_load_explicit(&x->stop, memory_order_relaxed) != 0;
}
/* Sleeps for x->at.owed_ns, but not past a cancel of the context or, when it hears of it, a preemption; what is left stays owed. */
int exec_sleep(struct exec *x);

/* ops.c */
int run_ops(struct exec *x);
/* Whether a submission is so short that reading the thread's CPU clock, a system call, would be a good part of it. */
bool is_light(const struct exec *x);
/* NULL unless the binding allows all of `access`. */
uint8_t *binding_pointer(struct exec *x, uint32_t index, uint32_t access, uint64_t *length);

/* progress.c */
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

/* finish.c */
/* The status that work ends with, counted. */
uint32_t work_status(struct counters *n, int rc);
/* `lost`: its completion is kept, for a reset to tell. */
void work_finish(struct exec *x, struct work *w, isle_completion *done, bool lost);

/* kernels.c */
int run_copy(struct exec *x, const isle_op_copy *op);
int run_fill(struct exec *x, const isle_op_fill *op);
int run_dispatch(struct exec *x, const isle_op_dispatch *op);

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
