/*
 * Runs one shell command on a platform through its control socket and behaves as if it were that
 * command: both output streams, the exit code, Ctrl-C. The protocol is described in
 * bundles/faces/control (package-info.java).
 *
 *   isle-client --dir DIR [--wait PID] [--as ROLE] [--verbose] --line LINE
 *   isle-client --dir DIR [...] --words WORD...
 *   isle-client --dir DIR [--wait PID] --ping
 *
 * DIR is the instance's folder: the client goes there and connects to the relative name, so that
 * the folder may lie deeper than a socket address can name. --wait tries until the socket answers
 * or the process PID has ended. Exit code 4: nobody answers.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "request.h"

#define SOCKET_NAME "control.sock"
#define NOBODY 4
#define PAUSE_NS (10L * 1000 * 1000)
/* Longest wait for a platform that boots: 90 s. */
#define MAX_PAUSES 9000

enum frame_kind { FRAME_OUT = 1, FRAME_ERR = 2, FRAME_EXIT = 3 };

static volatile sig_atomic_t interrupts;

/* Ctrl-C reaches this process from the terminal, and once more from the launcher, which passes on what it gets. */
static void on_signal(int number, siginfo_t *from, void *unused)
{
    static volatile sig_atomic_t passed_on, direct;
    (void)number;
    (void)unused;
    if (from->si_code == SI_USER && from->si_pid == getppid()) {
        passed_on++;
    } else {
        direct++;
    }
    interrupts = passed_on > direct ? passed_on : direct;
    /* Asked twice: leave at once; the closed connection interrupts the command as well. */
    if (interrupts > 1) {
        _exit(130);
    }
}

static void usage(void)
{
    fputs("usage: isle-client --dir DIR [--wait PID] [--as ROLE] [--verbose]"
          " --ping | --line LINE | --words WORD...\n",
          stderr);
    exit(2);
}

static int has_ended(long pid)
{
    char path[64];
    char stat[512];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return 1;
    }
    ssize_t length = read(fd, stat, sizeof stat - 1);
    close(fd);
    if (length <= 0) {
        return 1;
    }
    stat[length] = '\0';
    const char *state = strrchr(stat, ')');
    return state != NULL && (strncmp(state, ") Z", 3) == 0 || strncmp(state, ") X", 3) == 0);
}

static int connect_once(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = SOCKET_NAME};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        fail("no socket");
    }
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) {
        return fd;
    }
    close(fd);
    return -1;
}

static int connect_waiting(long pid, const sigset_t *waiting)
{
    const struct timespec step = {.tv_nsec = PAUSE_NS};
    int fd = connect_once();
    for (int i = 0; fd < 0 && pid != 0 && !has_ended(pid) && i < MAX_PAUSES; i++) {
        ppoll(NULL, 0, &step, waiting);
        if (interrupts > 0) {
            exit(130);
        }
        fd = connect_once();
    }
    return fd;
}

static void write_fully(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(fd, bytes, length);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            exit(1);
        }
        bytes += written;
        length -= (size_t)written;
    }
}

static void send_request(int fd, const struct request *request)
{
    const uint32_t n = request->length;
    const char head[4] = {(char)(n >> 24), (char)(n >> 16), (char)(n >> 8), (char)n};
    write_fully(fd, head, sizeof head);
    write_fully(fd, request->text, n);
}

/* Reads that many bytes; passes an interrupt on while it waits. 0 at the end of the stream. */
static int read_fully(int fd, unsigned char *bytes, size_t length, const sigset_t *waiting)
{
    static int told;
    while (length > 0) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        if (interrupts > 0 && !told) {
            told = 1;
            write_fully(fd, "\3", 1);
        }
        if (ppoll(&ready, 1, NULL, waiting) < 0) {
            continue;
        }
        ssize_t count = read(fd, bytes, length);
        if (count <= 0) {
            return 0;
        }
        bytes += count;
        length -= (size_t)count;
    }
    return 1;
}

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
           (uint32_t)bytes[3];
}

static int relay(int fd, const sigset_t *waiting)
{
    unsigned char head[5];
    static unsigned char payload[1 << 16];

    while (read_fully(fd, head, sizeof head, waiting)) {
        uint32_t length = big_endian(head + 1);
        if (head[0] == FRAME_EXIT && length == 4 && read_fully(fd, payload, 4, waiting)) {
            return (int)(big_endian(payload) & 0xff);
        }
        while (length > 0) {
            size_t part = length < sizeof payload ? length : sizeof payload;
            if (!read_fully(fd, payload, part, waiting)) {
                break;
            }
            write_fully(head[0] == FRAME_ERR ? STDERR_FILENO : STDOUT_FILENO,
                        (const char *)payload, part);
            length -= (uint32_t)part;
        }
    }
    if (interrupts > 0) {
        return 130;
    }
    fputs("isle: the platform ended before the end of the command\n", stderr);
    return 1;
}

/* Signals are taken only while waiting in ppoll, so none is lost between a look and the wait. */
static void catch_signals(sigset_t *waiting)
{
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    sigset_t blocked;
    sigemptyset(&blocked);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        sigaddset(&blocked, numbers[i]);
    }
    action.sa_mask = blocked;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        sigaction(numbers[i], &action, NULL);
    }
    sigprocmask(SIG_BLOCK, &blocked, waiting);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        sigdelset(waiting, numbers[i]);
    }
}

int main(int argc, char **argv)
{
    struct request request = {.text = malloc(MAX_REQUEST + 1)};
    const char *dir = NULL;
    long wait_for = 0;
    int ping = 0;
    sigset_t waiting;

    if (request.text == NULL) {
        fail("no memory");
    }
    request_add_surroundings(&request);
    int at = 1;
    int complete = 0;
    while (at < argc && !complete) {
        const char *option = argv[at++];
        if (strcmp(option, "--ping") == 0) {
            ping = complete = 1;
        } else if (strcmp(option, "--verbose") == 0) {
            request_add(&request, "verbose", "1");
        } else if (at >= argc) {
            usage();
        } else if (strcmp(option, "--dir") == 0) {
            dir = argv[at++];
        } else if (strcmp(option, "--wait") == 0) {
            wait_for = atol(argv[at++]);
        } else if (strcmp(option, "--as") == 0) {
            request_add(&request, "role", argv[at++]);
        } else if (strcmp(option, "--line") == 0) {
            request_add(&request, "line", argv[at++]);
            complete = 1;
        } else if (strcmp(option, "--words") == 0) {
            request_add_words(&request, argv + at);
            complete = 1;
        } else {
            usage();
        }
    }
    if (dir == NULL || !complete) {
        usage();
    }
    if (chdir(dir) != 0) {
        return NOBODY;
    }
    catch_signals(&waiting);
    int fd = connect_waiting(wait_for, &waiting);
    if (fd < 0) {
        return NOBODY;
    }
    if (ping) {
        return 0;
    }
    send_request(fd, &request);
    return relay(fd, &waiting);
}
