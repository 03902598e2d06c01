/*
 * What the NIC and the HPUs of an execution context share: tasks, their ends, sent frames, text and counters. Each HPU has a place of its
 * own, in which one side writes and the other reads; all numbers are little-endian and only grow, modulo 2^32. The HPUs run programs of a
 * tenant in a process of theirs: the NIC checks what they write, and copies a frame before it looks into it.
 */
#ifndef ISLE_SPIN_H
#define ISLE_SPIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ISLE_SPIN_MAGIC 0x4e495053u /* "SPIN" */
#define ISLE_SPIN_VERSION 1u
#define ISLE_SPIN_CLUSTERS 2u
#define ISLE_SPIN_CORES 8u /* HPUs of a cluster */
#define ISLE_SPIN_HPUS 16u
#define ISLE_SPIN_QUEUES 16u
#define ISLE_SPIN_FRAME 1536u /* bytes of the longest frame */
#define ISLE_SPIN_SENDS 16u   /* sent frames of an HPU that the NIC has not taken yet */
#define ISLE_SPIN_TEXT 65536u
#define ISLE_SPIN_PAGE 4096u
#define ISLE_SPIN_HOST 0x100000000ull /* address of the first host page, for handlers */

enum { ISLE_SPIN_HEADER = 0, ISLE_SPIN_PACKET = 1, ISLE_SPIN_TAIL = 2 };
enum { ISLE_SPIN_DONE = 0, ISLE_SPIN_TRAPPED = 1, ISLE_SPIN_REFUSED = 2 };

/* Why a handler was ended. */
enum {
    ISLE_SPIN_ACCESS = 1,     /* SIGSEGV */
    ISLE_SPIN_BUS = 2,        /* SIGBUS */
    ISLE_SPIN_ARITHMETIC = 3, /* SIGFPE */
    ISLE_SPIN_ILLEGAL = 4,    /* SIGILL */
    ISLE_SPIN_BREAK = 5,      /* SIGTRAP */
    ISLE_SPIN_CPU_TIME = 6,   /* handler_limit_us of CPU time are over */
    ISLE_SPIN_WALL_TIME = 7,  /* 20 times as much time is over */
    ISLE_SPIN_HOST_TIME = 8,  /* the host has not answered for host_wait_ms */
    ISLE_SPIN_EXIT = 9,       /* exit, abort or a failed assertion */
    ISLE_SPIN_STOPPED = 10    /* the context was detached */
};

/* Written by the NIC. */
typedef struct {
    uint32_t posted; /* tasks so far; written last, and then woken (a futex) if the HPU sleeps */
    uint32_t handler;
    uint32_t queue;
    uint32_t home_cluster;
    uint32_t offset; /* of the packet in the context's packets */
    uint32_t length; /* 1 to ISLE_SPIN_FRAME */
    uint8_t _pad[40];
} isle_spin_task;

/* Written by the HPU. */
typedef struct {
    uint32_t ended; /* tasks so far; written last */
    uint32_t result;
    uint32_t cause;
    uint32_t waiting;  /* the task waits for the host */
    uint32_t sleeping; /* it wants to be woken */
    uint32_t instruction; /* of a trap: offset in the image; 0: outside */
    uint64_t address;     /* of a trap: what was accessed */
    uint64_t start_ns, end_ns; /* CLOCK_MONOTONIC */
    uint8_t _pad[16];
} isle_spin_end;

typedef struct {
    uint32_t length;
    uint32_t _pad;
    uint8_t bytes[ISLE_SPIN_FRAME];
} isle_spin_frame;

typedef struct {
    isle_spin_task task;
    isle_spin_end end;
    uint32_t sent; /* frames so far, by the HPU; frame n lies at n modulo ISLE_SPIN_SENDS. Those of a task come before its end */
    uint8_t _pad[60];
    uint32_t taken; /* by the NIC */
    uint8_t _pad2[60];
    isle_spin_frame sends[ISLE_SPIN_SENDS];
} isle_spin_hpu;

/* Written by the HPUs. */
typedef struct {
    uint64_t tasks;
    uint64_t traps;
    uint64_t refused; /* tasks that name no handler or no packet */
    uint64_t sends;
    uint64_t sent_bytes;
    uint64_t to_host;   /* copies */
    uint64_t from_host;
    uint64_t host_requests;
    uint64_t failed;    /* sends and copies that named memory outside of the context's, or too much */
    uint64_t text_lost; /* bytes */
    uint8_t _pad[48];
} isle_spin_counters;

typedef struct {
    uint32_t magic, version;
    uint32_t size; /* bytes of all */
    uint32_t stopped; /* trap_limit traps in a row: tasks are refused */
    uint8_t _pad[48];
    isle_spin_counters counters;
    uint64_t text_written; /* bytes so far, by the HPUs; byte n lies at n modulo ISLE_SPIN_TEXT. Printable characters and newlines */
    uint8_t _pad2[56];
    uint64_t text_taken; /* by the NIC */
    uint8_t _pad3[56];
    isle_spin_hpu hpus[ISLE_SPIN_HPUS];
    uint8_t text[ISLE_SPIN_TEXT];
} isle_spin_rings;

/* What the host and the handlers share at __host_data. */
typedef struct {
    uint64_t flags[ISLE_SPIN_HPUS]; /* the host's answers: number of the request, length, HPU as in a request; woken (a futex on the low half) */
    struct {
        uint32_t sum, count;
    } counters[16];
} isle_spin_host_data;

/* The first word of an HPU's host page: a request when its number (the lowest byte) changes. The payload is at 64. */
#define ISLE_SPIN_REQUEST(number, length, hpu) ((uint64_t)(uint8_t)(number) | (uint64_t)(uint32_t)(length) << 8 | (uint64_t)(uint16_t)(hpu) << 40)

#ifdef __cplusplus
}
#endif
#endif
