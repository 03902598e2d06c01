/* A NIC in miniature: memories, a context, and one task at a time on an HPU. */
#ifndef ISLE_TEST_SPIN_HARNESS_H
#define ISLE_TEST_SPIN_HARNESS_H

#include "../spin/runtime.h"
#include "harness.h"

#define RIG_PACKETS (64u << 10)
#define RIG_HANDLER (64u << 10)
#define RIG_SCRATCHPAD 4096u
#define RIG_HOST (64u << 12)

struct rig {
    struct spin_attach how;
    struct spin_context *context;
    isle_spin_rings *rings;
    uint8_t *packets, *handler, *scratchpads, *host;
    isle_spin_host_data *host_data;
    char why[SPIN_WHY];
};

/* Whether images can be built here; else it says why, and that the tests of the suite are skipped. */
bool rig_can(const char *suite, size_t tests);
/* Whether a task ended by its time: of the CPU, or on a busy machine 20 times as much. */
bool spin_time_was_over(const isle_spin_end *end, uint32_t handler_limit_us);
/* Memories, with the limits of a test: 100 ms, 200 ms for the host. */
void rig_make(struct rig *r);
/* Attaches an image by its name, or by its path from the root. Returns spin_attach's code. */
int rig_attach(struct rig *r, const char *image);
void rig_detach(struct rig *r);
void rig_free(struct rig *r);
/* Posts a task: the frame lies in a slot of the HPU's. */
void rig_post(struct rig *r, uint32_t hpu, uint32_t handler, uint32_t queue, const void *frame, uint32_t length);
void rig_post_at(struct rig *r, uint32_t hpu, uint32_t handler, uint32_t queue, uint32_t offset, uint32_t length);
/* Waits for its end, answering to no request and taking no frame; false after 60 s. */
bool rig_wait(struct rig *r, uint32_t hpu);
/* rig_post, rig_wait; the result, or -1 */
int rig_run(struct rig *r, uint32_t hpu, uint32_t handler, uint32_t queue, const void *frame, uint32_t length);
/* The oldest sent frame, copied; its length, or 0. */
uint32_t rig_sent(struct rig *r, uint32_t hpu, uint8_t frame[ISLE_SPIN_FRAME]);
/* All text since the last call. */
const char *rig_text(struct rig *r);

#endif
