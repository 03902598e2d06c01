/*
 * Frames in banks of shared memory, as the rings' shared memory has them: a segment for each direction, 64 banks of 131072 bytes, a state
 * line a bank, two lines of each side. Checksums, copies, bells and acknowledgements are those of a link, too.
 */
#define _GNU_SOURCE
#include "ring.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { BANKS = 64, BANK = 131072, LINE = 64 };

struct state {
    _Alignas(LINE) _Atomic uint64_t number;
    _Atomic uint32_t length;
    _Atomic uint64_t source;
};

/* The lines of a side. */
struct side {
    _Alignas(2 * LINE) _Atomic uint64_t taken;
    _Alignas(2 * LINE) _Atomic uint64_t sleeps;
};

struct segment {
    uint8_t banks[BANKS][BANK];
    struct state states[BANKS];
    struct side reader, writer;
};

/* A side of the link: the segment that it receives by, the one of the other side, and copies of what was sent. */
struct end {
    struct segment *in, *out;
    uint8_t *kept[RING_WINDOW], *frame, *packet;
    uint32_t bytes;
    uint64_t sent, delivered, acknowledged, told, heard, rung_in, rung_out;
    uint64_t published, taken;
};

static struct segment *made(void) {
    struct segment *segment = mmap(NULL, sizeof *segment, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (segment == MAP_FAILED) ring_fail("mmap");
    return segment;
}

static uint8_t *memory(size_t bytes) {
    uint8_t *at = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
    if (at == NULL) ring_fail("aligned_alloc");
    memset(at, 0, bytes);
    return at;
}

static void open_end(struct end *end, struct segment *in, struct segment *out, size_t bytes) {
    *end = (struct end){.in = in, .out = out, .bytes = (uint32_t)bytes};
    size_t most = RING_HEADER + (bytes < RING_ACK ? RING_ACK : bytes);
    for (int i = 0; i < RING_WINDOW; i++) end->kept[i] = memory(most);
    end->frame = memory(most);
    end->packet = memory(most);
}

/* The other side sleeps never; a link looks all the same. */
static void look(_Atomic uint64_t *sleeps, uint64_t *rung) {
    atomic_thread_fence(memory_order_seq_cst);
    uint64_t now = atomic_load_explicit(sleeps, memory_order_relaxed);
    if (now != *rung) ring_fail("a bell is due");
}

static void publish(struct end *end, const uint8_t *frame, uint32_t length) {
    struct segment *out = end->out;
    uint64_t number = end->published + 1;
    while (end->published - end->taken >= BANKS) end->taken = atomic_load_explicit(&out->reader.taken, memory_order_acquire);
    memcpy(out->banks[number % BANKS], frame, length);
    struct state *state = &out->states[number % BANKS];
    atomic_store_explicit(&state->length, length, memory_order_relaxed);
    atomic_store_explicit(&state->source, 1, memory_order_relaxed);
    atomic_store_explicit(&state->number, number, memory_order_release);
    end->published = number;
    look(&out->reader.sleeps, &end->rung_out);
}

/* The next frame, in the memory of this side; its payload, or 0 while no frame is here. */
static uint32_t take(struct end *end) {
    struct segment *in = end->in;
    uint64_t number = end->heard + 1;
    struct state *state = &in->states[number % BANKS];
    uint64_t found = atomic_load_explicit(&state->number, memory_order_acquire);
    if (found != number) {
        if (found != 0 && found + BANKS != number) ring_fail("a wrong number");
        return 0;
    }
    uint32_t length = atomic_load_explicit(&state->length, memory_order_relaxed);
    if (length < RING_HEADER || length > BANK) ring_fail("a wrong length");
    memcpy(end->frame, in->banks[number % BANKS], length);
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(&state->number, memory_order_relaxed) != number) ring_fail("a changed number");
    end->heard = number;
    atomic_store_explicit(&in->reader.taken, number, memory_order_release);
    look(&in->writer.sleeps, &end->rung_in);
    return length - RING_HEADER;
}

static void send_packet(struct end *end) {
    if (end->sent - end->acknowledged >= RING_WINDOW) ring_fail("a full window");
    uint8_t *kept = end->kept[++end->sent % RING_WINDOW];
    memcpy(kept + RING_HEADER, end->packet, end->bytes);
    ring_seal(kept, end->sent, end->bytes);
    publish(end, kept, RING_HEADER + end->bytes);
}

static void acknowledge(struct end *end) {
    uint8_t frame[RING_HEADER + RING_ACK] = {0};
    memcpy(frame + RING_HEADER, &end->delivered, sizeof end->delivered);
    ring_seal(frame, 0, RING_ACK);
    publish(end, frame, sizeof frame);
    end->told = end->delivered;
}

/* Acknowledgements have number 0, and come among the packets. */
static void receive_packet(struct end *end) {
    for (;;) {
        uint32_t payload = take(end);
        if (payload == 0) continue;
        if (payload == end->bytes && ring_sealed(end->frame, end->delivered + 1, payload)) break;
        if (payload != RING_ACK || !ring_sealed(end->frame, 0, payload)) ring_fail("a wrong checksum");
        memcpy(&end->acknowledged, end->frame + RING_HEADER, sizeof end->acknowledged);
    }
    end->delivered++;
    memcpy(end->packet, end->frame + RING_HEADER, end->bytes);
    if (end->delivered - end->told >= RING_WINDOW / 2) acknowledge(end);
}

static void round_trips(struct end *end, long rounds) {
    for (long i = 0; i < rounds; i++) {
        send_packet(end);
        receive_packet(end);
    }
}

double ring_banks(size_t bytes, long rounds) {
    if (bytes > BANK - RING_HEADER) ring_fail("BYTES are too many for a bank");
    struct segment *there = made(), *back = made();
    struct end end;
    pid_t child = ring_forked();
    if (child == 0) {
        ring_pin(1);
        open_end(&end, there, back, bytes);
        for (;;) {
            receive_packet(&end);
            send_packet(&end);
        }
    }
    ring_pin(0);
    open_end(&end, back, there, bytes);
    round_trips(&end, rounds / 10 + 1);
    int64_t begin = ring_now();
    round_trips(&end, rounds);
    double ns = (double)(ring_now() - begin) / (double)rounds;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return ns;
}
