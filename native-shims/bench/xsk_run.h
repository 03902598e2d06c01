/* Work of a thread that never sleeps, by commands of another program: see xsk.c. */
#ifndef BENCH_XSK_RUN_H
#define BENCH_XSK_RUN_H

#include <stdatomic.h>
#include <stdint.h>

#include "xsk.h"

/* `frames` and `nanos` are of the present or last run; `argument` is that of its command. */
typedef struct {
    _Atomic int goes;
    int64_t argument;
    _Atomic uint64_t frames;
    int64_t nanos;
} xsk_run;

static inline int xsk_goes(xsk_run *run) { return atomic_load_explicit(&run->goes, memory_order_acquire); }

static inline void xsk_count(xsk_run *run, uint64_t frames)
{
    atomic_store_explicit(&run->frames, atomic_load_explicit(&run->frames, memory_order_relaxed) + frames, memory_order_relaxed);
}

/* What a thread does in one run, until xsk_goes says no or the work is done. */
typedef void xsk_work(xsk_run *run, void *state);

/* Answers commands from standard input until its end. */
void xsk_serve(xsk_work *work, void *state);

/* Counts frames and gives them back; `state` is a socket. */
void xsk_drop(xsk_run *run, void *state);

/* Sends frames of UDP back; `state` is a socket. */
void xsk_echo(xsk_run *run, void *state);

/* The same by a socket of UDP; `state` is its descriptor. */
void xsk_udp_echo(xsk_run *run, void *state);
int xsk_udp_open(void);

/* Sends numbered frames, which must lie in all frames for sending; argument: frames a second, 0 for as many as leave. */
void xsk_send(xsk_run *run, void *state);

/* So many round trips, one after the other. */
void xsk_ping(xsk_run *run, void *state);

/* Sends as xsk_send, and counts answers; the time of the run is the longest one between two of them. */
void xsk_gaps(xsk_run *run, void *state);

/* Writes frames for sending: of UDP from 198.18.0.1 to port 9000 of 198.18.0.2, or those of pktgen. */
void xsk_write_frames(xsk *s, const char *mac, int udp);

#endif
