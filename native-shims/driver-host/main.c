/*
 * driver-host ABSTRACT-SOCKET-NAME DRIVER.so [--profile=compute|gpu|opencl] [--memory=BYTES] [--cache=FOLDER] [--debug]
 *
 * Runs one native driver outside of the core, in a sandbox. Exit codes: 0 the core asked for it or hung up, 1 the driver could not be loaded,
 * 2 wrong arguments; else the signal that the driver died of.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "futex.h"
#include "host.h"

/* The core hangs up when it wants no more of this host. That the core is gone the kernel tells: end_with_core() of sandbox.c. */
static void *watch_core(void *host)
{
    struct host *h = host;
    struct pollfd p = {.fd = h->socket, .events = POLLRDHUP};
    prctl(PR_SET_NAME, "isle-watch");
    /* No handler of a driver may keep it from its watch. The C library leaves its own signals, 32 and 33, open; the kernel does not. */
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &(uint64_t){UINT64_MAX}, NULL, sizeof(uint64_t));
    sem_post(&h->watching);
    for (;;) {
        if (poll(&p, 1, -1) < 0 && errno == EINTR)
            continue;
        if (!(p.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)))
            continue;
        __atomic_store_n(&h->channel->host_state, ISLE_HOST_CLOSED, __ATOMIC_RELEASE);
        _exit(0);
    }
}

/* Returns when it watches, so that nothing of a driver runs before it is out of reach of signals. */
static int start_watcher(struct host *h)
{
    pthread_t watcher;
    if (sem_init(&h->watching, 0, 0))
        return errno;
    int rc = pthread_create(&watcher, NULL, watch_core, h);
    while (!rc && sem_wait(&h->watching) && errno == EINTR)
        ;
    return rc;
}

static bool parse_option(struct sandbox *s, const char *option)
{
    char *end;
    for (int i = 0; i < SANDBOX_DRIVERS; i++) {
        if (!strncmp(option, "--profile=", 10) && !strcmp(option + 10, sandbox_profiles[i])) {
            s->profile = (enum sandbox_profile)i;
            return true;
        }
    }
    if (!strcmp(option, "--debug")) {
        s->debug = true;
        return true;
    }
    if (!strncmp(option, "--cache=/", 9)) {
        s->cache = option + 8;
        return true;
    }
    if (strncmp(option, "--memory=", 9) || option[9] < '0' || option[9] > '9')
        return false;
    errno = 0;
    s->memory_bytes = strtoull(option + 9, &end, 10);
    return !errno && !*end;
}

static int fail(struct host *h, const char *why)
{
    fprintf(stderr, "error driver-host: %s\n", why);
    if (h->channel)
        crash_record(h, why);
    return 1;
}

int main(int argc, char **argv)
{
    static struct host h;
    char why[512] = "";
    bool usage = argc < 3;
    for (int i = 3; i < argc && !usage; i++)
        usage = !parse_option(&h.sandbox, argv[i]);
    if (usage) {
        fprintf(stderr, "usage: driver-host ABSTRACT-SOCKET-NAME DRIVER.so [--profile=compute|gpu|opencl] [--memory=BYTES] [--cache=FOLDER] [--debug]\n"
                        "(started by the core)\n");
        return 2;
    }
    sigset_t none;
    core_close_inherited();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL); /* the parent's mask would keep the crash handler from running */
    signal(SIGINT, SIG_IGN); /* the terminal's Ctrl-C is the core's to act on */
    signal(SIGPIPE, SIG_IGN);
    h.socket = core_connect(argv[1]);
    if (h.socket < 0) {
        snprintf(why, sizeof why, "no core listens at @%s: %s", argv[1], strerror(-h.socket));
        return fail(&h, why);
    }
    if (channel_receive(&h, why, sizeof why) < 0)
        return fail(&h, why);
    __atomic_store_n(&h.channel->host_pid, (uint32_t)getpid(), __ATOMIC_RELEASE);
    crash_install(h.crash, h.channel);
    pid_t core = core_pid(h.socket);
    if (h.sandbox.profile != SANDBOX_OPENCL)
        h.sandbox.cache = NULL;
    if (h.sandbox.cache)
        setenv("ISLE_DRIVER_CACHE", h.sandbox.cache, 1);
    if (h.sandbox.profile == SANDBOX_OPENCL)
        setenv("PATH", "/usr/bin", 1); /* where compilers look for the linker */
    sandbox_apply(&h.sandbox, argv[2]);
    if (getppid() != core) /* it ended before the kernel was asked to tell, or somebody else started this */
        return fail(&h, "the core that listens is not the parent of this process");
    if (start_watcher(&h))
        return fail(&h, "no thread for watching the core");
    if (isle_rt_load(argv[2], h.channel, why, sizeof why, &h.rt) < 0)
        return fail(&h, why);
    if (pthread_create(&h.data_thread, NULL, data_thread, &h))
        return fail(&h, "no thread for the data lane");
    __atomic_store_n(&h.channel->host_state, ISLE_HOST_READY, __ATOMIC_RELEASE);
    bell_ring(&h.channel->reply_bell, &h.channel->reply_sleeping);
    control_loop(&h);
    return 0;
}
