#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "futex.h"
#include "harness.h"

static int send_descriptor(int socket, const isle_segment_request *q, int fd)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {(void *)(uintptr_t)q, sizeof *q};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *m = CMSG_FIRSTHDR(&message);
    m->cmsg_level = SOL_SOCKET;
    m->cmsg_type = SCM_RIGHTS;
    m->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(m), &fd, sizeof fd);
    return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)sizeof *q ? 0 : -errno;
}

int core_send_segment(struct core *c, uint32_t segment, uint32_t writable, uint64_t size, int fd)
{
    isle_segment_request q = {.segment = segment, .writable = writable, .size = size};
    int rc = send_descriptor(c->socket, &q, fd);
    return rc ? rc : core_call(c, ISLE_OP_ADD_SEGMENT, &q, sizeof q);
}

uint32_t core_host_wait(struct core *c, uint32_t ms)
{
    uint64_t until = clock_ns() + ms * 1000000ull;
    uint32_t state;
    while ((state = __atomic_load_n(&c->channel->host_state, __ATOMIC_ACQUIRE)) == ISLE_HOST_STARTING && clock_ns() < until)
        usleep(200);
    return state;
}

const char *const *core_host_options;

int core_host_start(struct core *c, const char *library)
{
    char name[64], program[4352], driver[4352];
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(name, sizeof name, "isle-test-%d-%llu", (int)getpid(), (unsigned long long)clock_ns());
    snprintf(program, sizeof program, "%s/driver-host", test_folder());
    snprintf(driver, sizeof driver, "%s/%s", test_folder(), library);
    memcpy(at.sun_path + 1, name, strlen(name));
    c->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (bind(c->listener, (struct sockaddr *)&at, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name))) ||
        listen(c->listener, 1))
        return -errno;
    fflush(stdout);
    c->host_pid = fork();
    if (!c->host_pid) {
        const char *arguments[8] = {"driver-host", name, driver};
        for (int i = 0; core_host_options && core_host_options[i] && i < 4; i++)
            arguments[3 + i] = core_host_options[i];
        execv(program, (char *const *)arguments);
        _exit(127);
    }
    struct pollfd p = {.fd = c->listener, .events = POLLIN};
    if (poll(&p, 1, 30000) != 1)
        return -ETIME;
    c->socket = accept4(c->listener, NULL, NULL, SOCK_CLOEXEC);
    isle_segment_request q = {.segment = 0, .writable = 1, .size = c->channel_size};
    return send_descriptor(c->socket, &q, c->channel_fd);
}

int core_host_reap(struct core *c, uint32_t ms)
{
    int status = -1;
    uint64_t until = clock_ns() + ms * 1000000ull;
    while (waitpid(c->host_pid, &status, WNOHANG) == 0) {
        if (clock_ns() > until) {
            kill(c->host_pid, SIGKILL);
            waitpid(c->host_pid, &status, 0);
            return -1;
        }
        usleep(500);
    }
    return status;
}
