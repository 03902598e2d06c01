#pragma GCC optimize("O3")
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>

#include "xsk_run.h"

enum { UDP_PORT = 9000, LOOKS = 1 << 20, PAUSE_NS = 20000 };

static const int64_t PATIENCE_NS = 5000000000LL;

/* Whether the answer is there; other frames are given back, too. */
static int answered(xsk *s, uint64_t number)
{
    uint32_t count = xsk_given(&s->rx);
    int found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct xdp_desc *got = xsk_descriptor(&s->rx, s->rx.own + i);
        found |= got->len >= XSK_NUMBER + sizeof number && !memcmp(s->umem + got->addr + XSK_NUMBER, &number, sizeof number);
        *xsk_address(&s->fill, s->fill.own + i) = got->addr & ~(uint64_t)(XSK_FRAME - 1);
    }
    if (count) {
        xsk_produce(&s->fill, count);
        xsk_consume(&s->rx, count);
    }
    return found;
}

void xsk_ping(xsk_run *run, void *state)
{
    xsk *s = state;
    static uint64_t number;
    for (int64_t i = 0; i < run->argument; i++) {
        uint32_t back = xsk_given(&s->completion), at = s->tx.own & (s->size - 1);
        xsk_consume(&s->completion, back);
        number++;
        memcpy(s->umem + (size_t)at * XSK_FRAME + XSK_NUMBER, &number, sizeof number);
        *xsk_descriptor(&s->tx, s->tx.own) = (struct xdp_desc){.addr = (uint64_t)at * XSK_FRAME, .len = XSK_LENGTH};
        xsk_produce(&s->tx, 1);
        xsk_wake(s);
        int64_t begin = 0;
        for (uint32_t looks = 1; !answered(s, number); looks++) {
            xsk_pause();
            if (looks % LOOKS)
                continue;
            begin = begin ? begin : xsk_now();
            if (xsk_now() - begin > PATIENCE_NS)
                xsk_fail("no answer to frame %llu", (unsigned long long)number);
        }
        xsk_count(run, 1);
    }
}

void xsk_gaps(xsk_run *run, void *state)
{
    xsk *s = state;
    int64_t begin = xsk_now(), last = 0;
    uint64_t sent = 0;
    run->nanos = 1;
    prctl(PR_SET_TIMERSLACK, 1);
    while (xsk_goes(run)) {
        static const struct timespec pause = {.tv_nsec = PAUSE_NS};
        xsk_consume(&s->completion, xsk_given(&s->completion));
        if ((double)(xsk_now() - begin) * 1e-9 * (double)run->argument > (double)sent && s->tx.own - s->completion.own < s->size) {
            uint64_t at = (uint64_t)(s->tx.own & (s->size - 1)) * XSK_FRAME;
            memcpy(s->umem + at + XSK_NUMBER, &sent, sizeof sent);
            *xsk_descriptor(&s->tx, s->tx.own) = (struct xdp_desc){.addr = at, .len = XSK_LENGTH};
            xsk_produce(&s->tx, 1);
            xsk_wake(s);
            sent++;
        } else
            nanosleep(&pause, NULL);
        uint32_t answers = xsk_given(&s->rx);
        if (!answers)
            continue;
        for (uint32_t i = 0; i < answers; i++)
            *xsk_address(&s->fill, s->fill.own + i) = xsk_descriptor(&s->rx, s->rx.own + i)->addr & ~(uint64_t)(XSK_FRAME - 1);
        xsk_produce(&s->fill, answers);
        xsk_consume(&s->rx, answers);
        int64_t now = xsk_now();
        if (last && now - last > run->nanos)
            run->nanos = now - last;
        last = now;
        xsk_count(run, answers);
    }
}

int xsk_udp_open(void)
{
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(UDP_PORT), .sin_addr = {htonl(INADDR_ANY)}};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&here, sizeof here) < 0)
        xsk_fail("a socket of UDP: %s", strerror(errno));
    return fd;
}

/* Connected to the first client, so that the kernel looks up no route for each answer. */
void xsk_udp_echo(xsk_run *run, void *state)
{
    int fd = *(int *)state;
    char data[XSK_FRAME];
    while (xsk_goes(run)) {
        struct sockaddr_in from;
        socklen_t bytes = sizeof from;
        ssize_t got = recvfrom(fd, data, sizeof data, 0, (struct sockaddr *)&from, &bytes);
        if (got < 0) {
            if (errno != EAGAIN)
                xsk_fail("receiving: %s", strerror(errno));
            xsk_pause();
            continue;
        }
        static int connected;
        if (!connected && connect(fd, (struct sockaddr *)&from, sizeof from) < 0)
            xsk_fail("connecting: %s", strerror(errno));
        connected = 1;
        if (send(fd, data, (size_t)got, 0) < 0 && errno != EAGAIN)
            xsk_fail("answering: %s", strerror(errno));
        xsk_count(run, 1);
    }
}
