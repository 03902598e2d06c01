/* The code that a thread was in when it crashed. */
#ifndef ISLE_HOST_CRASH_H
#define ISLE_HOST_CRASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CRASH_FRAMES 10u
#define CRASH_PATH 256u

struct crash_frame {
    uint64_t pc;
    uint64_t offset; /* in the file */
    bool code;       /* the address can be run */
    char path[CRASH_PATH]; /* of the file that is mapped there; empty: none. Cut if longer */
};

/*
 * The frames of a signal's context, innermost first; `maps` is a descriptor of /proc/self/maps. `frames` has room for CRASH_FRAMES and is
 * zero. Returns how many there are. For a signal handler.
 */
uint32_t crash_frames(const void *context, int maps, struct crash_frame *frames);

#endif
