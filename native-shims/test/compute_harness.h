/* Shared by the tests of programs that compute: buffers between pages that nobody may touch, and dispatches over them. */
#ifndef ISLE_COMPUTE_HARNESS_H
#define ISLE_COMPUTE_HARNESS_H

#include "soft_harness.h"

#define COMPUTE_BUFFERS 3u
#define COMPUTE_ROOM (4u << 20) /* bytes of a buffer */

/* Part of a buffer's room, at its beginning or at its end. */
struct place {
    uint8_t *at;
    uint64_t offset, length;
    uint32_t access;
};
extern struct place place[COMPUTE_BUFFERS];

/* Ways to run: units and vector units; the last is the shape of AVX-512 on any CPU. */
extern const char *const compute_ways[];
#define COMPUTE_WAYS 6
#define COMPUTE_WIDE 5
/* Opens the device that way and loads the program; false, and a line that says so, when this CPU has no such vector unit. */
bool compute_begin(int way, const char *program);
/* Any settings; 0 or what is wrong. */
int compute_open(const char *settings, const char *program);
/* Where the buffer's bytes lie for the next run: against the page behind them, else against the one before. */
void *compute_place(uint32_t buffer, uint64_t length, bool at_end);
/* Runs the program over the first `buffers` places and the scalars. */
int compute_run(uint32_t buffers, const uint32_t *scalars, uint32_t count);
void compute_command(struct command *k, uint32_t buffers, const isle_arg *scalars, uint32_t count);

/* A dispatch: lengths of its buffers, and its scalars. */
struct dispatch {
    const char *program;
    uint64_t bytes[COMPUTE_BUFFERS];
    uint32_t scalars[6];
};
uint32_t compute_buffers(const char *program);
uint32_t compute_scalars(const char *program);
/* Places its buffers and fills them, so that every program would change its last one; that is returned, and what it holds put into `was`. */
uint8_t *compute_prepare(const struct dispatch *r, bool at_end, uint8_t *was);

float compute_float(uint64_t *state); /* -1 to 1 */
uint32_t compute_below(uint64_t *state, uint32_t n);

#endif
