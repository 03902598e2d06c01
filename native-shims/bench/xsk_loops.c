/* The loops that the net tile is compared with: no ledger, no checks, no apps. */
#pragma GCC optimize("O3")
#define _GNU_SOURCE
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "xsk_run.h"

enum { PAUSE_NS = 20000 };

static const int64_t PATIENCE_NS = 5000000000LL;

void xsk_drop(xsk_run *run, void *state)
{
    xsk *s = state;
    while (1) {
        uint32_t count = xsk_given(&s->rx);
        if (!count) {
            if (!xsk_goes(run))
                return;
            xsk_pause();
            continue;
        }
        for (uint32_t i = 0; i < count; i++)
            *xsk_address(&s->fill, s->fill.own + i) = xsk_descriptor(&s->rx, s->rx.own + i)->addr & ~(uint64_t)(XSK_FRAME - 1);
        xsk_produce(&s->fill, count);
        xsk_consume(&s->rx, count);
        xsk_count(run, count);
    }
}

static void turn(uint8_t *frame)
{
    uint8_t mac[6], address[4], port[2];
    memcpy(mac, frame, 6);
    memcpy(frame, frame + 6, 6);
    memcpy(frame + 6, mac, 6);
    memcpy(address, frame + 26, 4);
    memcpy(frame + 26, frame + 30, 4);
    memcpy(frame + 30, address, 4);
    memcpy(port, frame + 34, 2);
    memcpy(frame + 34, frame + 36, 2);
    memcpy(frame + 36, port, 2);
}

/* A frame goes from FILL by RX, TX and COMPLETION to FILL. */
void xsk_echo(xsk_run *run, void *state)
{
    xsk *s = state;
    while (xsk_goes(run)) {
        uint32_t sent = xsk_given(&s->completion);
        for (uint32_t i = 0; i < sent; i++)
            *xsk_address(&s->fill, s->fill.own + i) = *xsk_address(&s->completion, s->completion.own + i) & ~(uint64_t)(XSK_FRAME - 1);
        if (sent) {
            xsk_produce(&s->fill, sent);
            xsk_consume(&s->completion, sent);
        }
        uint32_t count = xsk_given(&s->rx), room = xsk_room(&s->tx, count);
        if (!count) {
            xsk_pause();
            continue;
        }
        count = count < room ? count : room;
        for (uint32_t i = 0; i < count; i++) {
            struct xdp_desc got = *xsk_descriptor(&s->rx, s->rx.own + i);
            turn(s->umem + got.addr);
            *xsk_descriptor(&s->tx, s->tx.own + i) = got;
        }
        xsk_produce(&s->tx, count);
        xsk_consume(&s->rx, count);
        xsk_wake(s);
        xsk_count(run, count);
    }
}

static uint32_t due(const xsk_run *run, int64_t begin, uint64_t sent)
{
    if (!run->argument)
        return XSK_BATCH;
    uint64_t wanted = (uint64_t)((double)(xsk_now() - begin) * 1e-9 * (double)run->argument);
    return wanted <= sent ? 0 : wanted - sent < XSK_BATCH ? (uint32_t)(wanted - sent) : XSK_BATCH;
}

/* At a rate, the processor is left to others between frames: they may have to do with what is measured. */
static void rest(const xsk_run *run)
{
    static const struct timespec pause = {.tv_nsec = PAUSE_NS};
    if (run->argument)
        nanosleep(&pause, NULL);
    else
        xsk_pause();
}

/* Frames for sending are used in turn: an entry of TX is free when its frame is back. */
void xsk_send(xsk_run *run, void *state)
{
    xsk *s = state;
    uint64_t sent = 0;
    prctl(PR_SET_TIMERSLACK, 1);
    int64_t begin = xsk_now();
    while (xsk_goes(run)) {
        uint32_t back = xsk_given(&s->completion);
        if (back)
            xsk_consume(&s->completion, back);
        uint32_t room = s->size - (s->tx.own - s->completion.own), count = due(run, begin, sent);
        count = count < room ? count : room;
        if (!count) {
            if (!room)
                xsk_wake(s);
            rest(run);
            continue;
        }
        for (uint32_t i = 0; i < count; i++) {
            uint64_t at = (uint64_t)((s->tx.own + i) & (s->size - 1)) * XSK_FRAME, number = sent + i;
            memcpy(s->umem + at + XSK_NUMBER, &number, sizeof number);
            *xsk_descriptor(&s->tx, s->tx.own + i) = (struct xdp_desc){.addr = at, .len = XSK_LENGTH};
        }
        xsk_produce(&s->tx, count);
        xsk_wake(s);
        sent += count;
        xsk_count(run, count);
    }
    int64_t end = xsk_now();
    while (s->tx.own - s->completion.own) {
        uint32_t back = xsk_given(&s->completion);
        xsk_consume(&s->completion, back);
        if (!back)
            xsk_wake(s);
        if (xsk_now() - end > PATIENCE_NS)
            xsk_fail("the kernel does not complete what it sends");
    }
}
