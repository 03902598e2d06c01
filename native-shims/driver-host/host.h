/* The process of one driver instance: what its threads share. */
#ifndef ISLE_HOST_H
#define ISLE_HOST_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "isle_wire.h"
#include "core.h"
#include "sandbox.h"

#define HOST_SEGMENTS 4096u

struct host_segment {
    uint32_t id; /* 0: free */
    void *pointer;
    uint64_t size;
};

struct host {
    int socket;
    sem_t watching;          /* posted when the thread that watches the socket takes no signal any more */
    struct sandbox sandbox;
    isle_channel_header *channel;
    uint8_t *control_request, *control_response; /* in the channel */
    isle_request *requests;
    uint32_t request_mask;
    uint32_t spin_us;
    char *crash;
    isle_rt *rt;
    bool polling;            /* the driver must be asked for completions; set while the data thread is paused */
    struct host_segment segments[HOST_SEGMENTS];
    uint32_t segment_count;

    /* The control thread asks the data thread to stand still while device or command segment change. */
    atomic_uint pause_wanted, paused, stop;
    _Atomic uint64_t handed; /* requests that the driver has seen */
    pthread_t data_thread;
};

/* channel.c: 0, or a negative code with a line in `why` */
int channel_receive(struct host *h, char *why, uint32_t why_size);
IoResultCode channel_add_segment(struct host *h, const isle_segment_request *q);
void channel_unmap_segment(struct host *h, uint32_t id);

/* crash.c */
void crash_install(char *record, isle_channel_header *channel);
/* Of the calling thread: its name in reports, and an alternate stack, so that a stack overflow is told too. */
void crash_thread(const char *name);
void crash_record(struct host *h, const char *text);

/* data.c */
void *data_thread(void *host);
/* Returns when the driver has seen every request that the core had posted before the call: what resets, frees or closes comes after
 * the work that it is about. Not while the data thread stands. */
void data_catch_up(struct host *h);
void data_pause(struct host *h);
void data_resume(struct host *h);

/* control.c: returns when the core asked for the end */
void control_loop(struct host *h);

#endif
