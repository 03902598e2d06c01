/*
 * bench-xsk MODE ...: what the net tile is compared with, and who sends to both. A thread of a mode works without sleeping while it goes.
 *   check                                  ends with 3 and the reason if this process may not make what the others need
 *   drop NETNS INTERFACE skb|drv RING      counts all frames of queue 0
 *   echo NETNS INTERFACE skb|drv RING      sends frames of UDP back
 *   udp NETNS                              the same by the kernel's socket of port 9000
 *   send NETNS INTERFACE MAC RING          sends numbered frames of 60 bytes to port 9000 of the other side; argument: frames a second, 0 for most
 *   pktgen NETNS INTERFACE skb|drv MAC RING   the same with frames of the tile's pktgen
 *   ping NETNS INTERFACE skb|drv MAC RING  round trips of such frames; argument: how many
 *   gaps NETNS INTERFACE skb|drv MAC RING  answers to frames at a rate; NANOS is the longest time between two of them
 * Prints "ready", then answers lines from standard input until its end:
 *   go N    begins a run with an argument: "goes"
 *   count   frames of the run so far: FRAMES
 *   stop    ends the run: FRAMES NANOS
 *   run N   waits for the run's own end: FRAMES NANOS
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xsk_run.h"

typedef struct {
    xsk_work *work;
    void *state;
    xsk_run run;
    sem_t begin, end;
} server;

static void await(sem_t *s)
{
    while (sem_wait(s) < 0)
        if (errno != EINTR)
            xsk_fail("sem_wait: %s", strerror(errno));
}

static void *runs(void *of)
{
    server *s = of;
    for (;;) {
        await(&s->begin);
        int64_t begin = xsk_now();
        s->run.nanos = 0;
        s->work(&s->run, s->state);
        if (!s->run.nanos)
            s->run.nanos = xsk_now() - begin;
        sem_post(&s->end);
    }
    return NULL;
}

static void go(server *s, const char *argument)
{
    s->run.argument = strtoll(argument, NULL, 10);
    atomic_store(&s->run.frames, 0);
    atomic_store(&s->run.goes, 1);
    sem_post(&s->begin);
}

static void tell_end(server *s)
{
    await(&s->end);
    atomic_store(&s->run.goes, 0);
    printf("%llu %lld\n", (unsigned long long)atomic_load(&s->run.frames), (long long)s->run.nanos);
}

void xsk_serve(xsk_work *work, void *state)
{
    server s = {.work = work, .state = state};
    pthread_t thread;
    char line[64];
    sem_init(&s.begin, 0, 0);
    sem_init(&s.end, 0, 0);
    if (pthread_create(&thread, NULL, runs, &s))
        xsk_fail("no thread");
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("ready");
    while (fgets(line, sizeof line, stdin)) {
        int goes = xsk_goes(&s.run);
        if (!goes && !strncmp(line, "go ", 3)) {
            go(&s, line + 3);
            puts("goes");
        } else if (!goes && !strncmp(line, "run ", 4)) {
            go(&s, line + 4);
            tell_end(&s);
        } else if (goes && !strcmp(line, "count\n")) {
            printf("%llu\n", (unsigned long long)atomic_load(&s.run.frames));
        } else if (goes && !strcmp(line, "stop\n")) {
            atomic_store(&s.run.goes, 0);
            tell_end(&s);
        } else
            xsk_fail("unexpected: %s", line);
    }
    exit(0);
}

static _Noreturn void usage(void)
{
    fputs("usage: bench-xsk check | drop|echo NETNS INTERFACE skb|drv RING | udp NETNS | send NETNS INTERFACE MAC RING"
          " | pktgen|ping|gaps NETNS INTERFACE skb|drv MAC RING\n", stderr);
    exit(2);
}

static void serve_socket(int argc, char **argv, xsk_work *work, const char *mode, const char *mac)
{
    static xsk s;
    xsk_open(&s, argv[3], (uint32_t)strtoul(argv[argc - 1], NULL, 10));
    if (mac)
        xsk_write_frames(&s, mac, strcmp(argv[1], "pktgen"));
    if (mode)
        xsk_attach(&s, mode);
    xsk_serve(work, &s);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (argc == 2 && !strcmp(name, "check")) {
        xsk_check();
        return 0;
    }
    int udp = !strcmp(name, "udp"), drops = !strcmp(name, "drop"), echoes = !strcmp(name, "echo"), sends = !strcmp(name, "send");
    int pings = !strcmp(name, "ping"), generates = !strcmp(name, "pktgen"), gaps = !strcmp(name, "gaps");
    if (!(udp && argc == 3) && !((drops || echoes || sends) && argc == 6) && !((pings || generates || gaps) && argc == 7))
        usage();
    xsk_enter(argv[2]);
    if (udp) {
        int fd = xsk_udp_open();
        xsk_serve(xsk_udp_echo, &fd);
    } else if (drops || echoes)
        serve_socket(argc, argv, drops ? xsk_drop : xsk_echo, argv[4], NULL);
    else if (sends)
        serve_socket(argc, argv, xsk_send, NULL, argv[4]);
    else
        serve_socket(argc, argv, pings ? xsk_ping : gaps ? xsk_gaps : xsk_send, argv[4], argv[5]);
    return 0;
}
