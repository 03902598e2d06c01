/*
 * tile-host ABSTRACT-SOCKET-NAME JAVA-HOME [--memory=BYTES] [--debug] [--read=PATH]... -- ARGUMENT...
 *
 * Confines itself and becomes a JVM that runs tiles of a net. The JVM has the socket to the core at 3 and a page of memory at 4; the sockets
 * of its ports come later, to TILE_FIRST_PORT and up, where the page keeps their place. Exit codes: 1 the JVM cannot be started, 2 wrong arguments; else those of
 * the JVM.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core.h"
#include "sandbox.h"

#define CORE_SOCKET 3
#define PAGE 4
#define GREETING 8u /* bytes of the message that brings the page */
#define MOST_PATHS 512

static int fail(const char *why, int code)
{
    fprintf(stderr, "error tile-host: %s%s%s\n", why, code ? ": " : "", code ? strerror(code) : "");
    return 1;
}

static int usage(void)
{
    fprintf(stderr, "usage: tile-host ABSTRACT-SOCKET-NAME JAVA-HOME [--memory=BYTES] [--debug] [--read=PATH]... -- ARGUMENT...\n"
                    "(started by the core)\n");
    return 2;
}

static bool parse_memory(struct sandbox *s, const char *text)
{
    char *end;
    errno = 0;
    s->memory_bytes = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !errno && !*end;
}

/* Index of the first argument behind "--"; 0 for wrong options. */
static int parse(struct sandbox *s, const char **paths, int argc, char **argv)
{
    int count = 1; /* behind the JDK */
    for (int i = 3; i < argc; i++) {
        if (!strcmp(argv[i], "--"))
            return i + 1 < argc ? i + 1 : 0;
        if (!strcmp(argv[i], "--debug"))
            s->debug = true;
        else if (!strncmp(argv[i], "--read=/", 8) && count < MOST_PATHS)
            paths[count++] = argv[i] + 7;
        else if (strncmp(argv[i], "--memory=", 9) || !parse_memory(s, argv[i] + 9))
            return 0;
    }
    return 0;
}

/* The JVM inherits both, and the page in the place of each port, so that it opens nothing there. Everything else is closed. */
static int place(int socket, int page)
{
    int spare = fcntl(socket, F_DUPFD_CLOEXEC, TILE_FIRST_PORT + TILE_PORTS);
    if (spare < 0 || dup2(page, PAGE) < 0 || dup2(spare, CORE_SOCKET) < 0)
        return -errno;
    if (page > PAGE)
        close(page);
    if (socket > PAGE)
        close(socket);
    close(spare);
    for (unsigned port = 0; port < TILE_PORTS; port++)
        if (dup2(PAGE, (int)(TILE_FIRST_PORT + port)) < 0)
            return -errno;
    return fcntl(CORE_SOCKET, F_SETFD, 0) || fcntl(PAGE, F_SETFD, 0) ? -errno : 0;
}

int main(int argc, char **argv)
{
    static struct sandbox sandbox = {.profile = SANDBOX_TILE};
    static const char *paths[MOST_PATHS + 1];
    char *const environment[] = {"LC_ALL=C.UTF-8", NULL}; /* names of files have any letters */
    char greeting[GREETING], java[PATH_MAX];
    int page, first = argc < 5 ? 0 : parse(&sandbox, paths, argc, argv);
    if (!first)
        return usage();
    sigset_t none;
    core_close_inherited();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGINT, SIG_IGN); /* the terminal's Ctrl-C is the core's to act on */
    signal(SIGPIPE, SIG_IGN);
    if (snprintf(java, sizeof java, "%s/bin/java", argv[2]) >= (int)sizeof java)
        return usage();
    paths[0] = argv[2];
    sandbox.readable = paths;
    int socket = core_connect(argv[1]);
    if (socket < 0)
        return fail("no core listens", -socket);
    pid_t core = core_pid(socket);
    int rc = core_receive(socket, greeting, sizeof greeting, &page);
    if (rc)
        return fail("the core sent no page", -rc);
    if ((rc = place(socket, page)))
        return fail("the descriptors cannot be placed", -rc);
    sandbox_apply(&sandbox, NULL);
    if (getppid() != core) /* it ended before the kernel was asked to tell, or somebody else started this */
        return fail("the core that listens is not the parent of this process", 0);
    if (write(CORE_SOCKET, sandbox.report, sandbox.length) != (ssize_t)sandbox.length)
        return fail("the core does not take the report", errno);
    argv[first - 1] = java; /* in the place of "--" */
    execve(java, argv + first - 1, environment);
    return fail(java, errno);
}
