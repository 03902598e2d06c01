/* One submission on its way through a compute unit: the state that the parts on this way share. */
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

#endif
