/* HPUs of an execution context: threads that run handlers, each on memory below 4 GiB. */
#ifndef ISLE_SPIN_RUNTIME_H
#define ISLE_SPIN_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isle_spin.h"
#include "image.h"

struct spin_context;

/* Memory that is mapped shared in this process; whole pages. */
struct spin_memory {
    void *pointer;
    uint64_t size;
};

struct spin_limits {
    uint32_t handler_limit_us; /* of CPU time; 20 times as much of any time */
    uint32_t host_wait_ms;
    uint32_t trap_limit; /* 0: none */
    uint32_t hpu_mhz;
    uint32_t hpu_spin_us;
};

struct spin_attach {
    const uint8_t *image;
    size_t image_size;
    uint32_t program_bytes;    /* the most that an image has in memory */
    struct spin_memory rings;  /* isle_spin_rings */
    struct spin_memory packets;
    struct spin_memory handler; /* kept between tasks; size 0: none */
    struct spin_memory scratchpads; /* by cluster, then by queue */
    struct spin_memory host_data;   /* a page with isle_spin_host_data */
    struct spin_memory host;        /* the host's pages; size 0: none */
    struct spin_limits limits;
    /* An HPU does not leave its handler 250 ms after it had to: the process must end. NULL: abort(). */
    void (*stuck)(void *argument, uint32_t hpu);
    void *argument;
};

/* Loads the image, starts the HPUs and runs init_handlers. 0, or a negated errno and a sentence in why. The image may go afterwards. */
int spin_attach(const struct spin_attach *how, struct spin_context **out, char why[SPIN_WHY]);
/* Ends what runs. The memories may go afterwards. */
void spin_detach(struct spin_context *context);
/* Which handlers there are: bits 1 << ISLE_SPIN_HEADER and so on. */
uint32_t spin_handlers(const struct spin_context *context);
const isle_spin_rings *spin_rings(const struct spin_context *context);
const char *spin_cause(uint32_t cause);

/* The newest trap; all 0 before the first. */
struct spin_trap {
    uint32_t cause, handler, hpu, instruction;
    uint64_t address;
};
struct spin_trap spin_newest_trap(struct spin_context *context);

#endif
