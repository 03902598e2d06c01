/* The parts of a context, for the runtime's own files. */
#ifndef ISLE_SPIN_HPU_H
#define ISLE_SPIN_HPU_H

#include <pthread.h>
#include <sys/types.h>

#include "calls.h"
#include "low.h"
#include "runtime.h"

/* Offsets of what enter.c reads. */
#define HPU_STACK "0"
#define HPU_CALL_STACK "8"
#define HPU_ACTIVE "16"
#define HPU_IN_CALL "20"
#define HPU_PENDING "24"

struct hpu {
    void *stack;      /* of the thread, while a handler runs */
    void *call_stack; /* of the handler, while it calls the runtime */
    uint32_t active;  /* a handler runs */
    uint32_t in_call;
    uint32_t pending; /* cause of a trap that is due when the call returns */
    uint32_t number;
    struct spin_context *context;
    isle_spin_hpu *shared;
    pthread_t thread;
    pid_t tid;
    uint32_t sequence;      /* of the task that runs or ran last */
    uint32_t awake;         /* it does not sleep */
    uint32_t overdue;       /* sequence of the task that the watch has ended, */
    uint32_t overdue_cause; /* and why */
    uint64_t waited_ns;     /* for the host, in all */
    uint32_t cause;         /* of the newest trap */
    uint64_t address, instruction;
    const volatile uint32_t *reserved;
    uint32_t reserved_value;
    void *signal_stack;
};

/* What the watch knows of an HPU. */
struct watched {
    uint32_t sequence;
    uint32_t told;
    uint64_t cpu_ns, wall_ns, waited_ns, told_ns;
};

struct range {
    uint32_t from, to;
    bool writable;
};

struct spin_context {
    struct spin_image image;
    struct spin_entry entry;
    struct spin_low low;
    struct spin_attach how;
    isle_spin_rings *rings;
    uint32_t handlers[3]; /* addresses; 0: none */
    struct range ranges[SPIN_SEGMENTS + 3];
    uint32_t range_count;
    uint64_t epoch_ns; /* when the clock of cycles() began */
    uint32_t traps_in_a_row;
    uint32_t stopping;
    pthread_mutex_t text_lock, trap_lock;
    struct spin_trap newest_trap;
    struct hpu hpus[ISLE_SPIN_HPUS];
    uint32_t started; /* threads of HPUs */
    pthread_t watch;
    bool watching;
    uint32_t watch_bell, watch_sleeping;
    struct watched watched[ISLE_SPIN_HPUS];
    uint32_t begun; /* of HPU 0: 0 not yet, 1 init_handlers has returned, 2 it was ended; a futex */
};

extern __thread struct hpu *spin_self __attribute__((tls_model("initial-exec")));

/* enter.c: calls function(argument) on the low stack. 0: it returned; 1: a trap */
int spin_enter(struct hpu *hpu, uint64_t function, uint64_t argument, uint64_t stack);
extern const uint64_t spin_thunks[SPIN_CALL_COUNT];
void spin_leave(void);
/* Control words of the processor as a thread has them at first. */
void spin_controls(void);
/* check.c: each returns the code, and writes why */
int spin_refuse(char *why, const char *what, int code);
int spin_check(const struct spin_attach *how, char *why);
/* hpu.c */
void *spin_hpu_main(void *hpu);
int spin_run(struct hpu *h, uint32_t function);
/* traps.c */
#define SPIN_TIME_SIGNAL (SIGRTMIN + 4)
int spin_traps_hold(void);
void spin_traps_release(void);
/* watch.c */
void *spin_watch_main(void *context);
void spin_watch_wake(struct spin_context *context);
/* calls.c */
/* The memory of handlers at an address, or NULL where not all of it is theirs to read, or to write. */
void *spin_range(const struct spin_context *context, uint32_t address, uint32_t length, bool write);
static inline void spin_count(uint64_t *counter, uint64_t by)
{
    __atomic_fetch_add(counter, by, __ATOMIC_RELAXED);
}

#endif
