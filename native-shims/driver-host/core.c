#define _GNU_SOURCE
#include "core.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

int core_connect(const char *name)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    size_t n = strlen(name);
    if (!n || n > sizeof to.sun_path - 1)
        return -EINVAL;
    memcpy(to.sun_path + 1, name, n);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    if (!connect(fd, (struct sockaddr *)&to, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + n)))
        return fd;
    int rc = -errno;
    close(fd);
    return rc;
}

/* One message with its descriptor. Whatever is malformed closes what came with it. */
int core_receive(int socket, void *into, size_t size, int *fd)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int) * 4)];
    } control;
    struct iovec part = {into, size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t n;
    do
        n = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    *fd = -1;
    int extra = 0;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int got;
            memcpy(&got, CMSG_DATA(c) + i * sizeof got, sizeof got);
            if (*fd < 0) {
                *fd = got;
            } else {
                close(got);
                extra = 1;
            }
        }
    }
    if (n == (ssize_t)size && *fd >= 0 && !extra && !(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)))
        return 0;
    if (*fd >= 0)
        close(*fd);
    return n ? -EPROTO : -ECONNRESET;
}

/* The process that listens at the other end; 0 when it has no number here. */
pid_t core_pid(int socket)
{
    struct ucred peer = {0};
    socklen_t size = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) ? 0 : peer.pid;
}

void core_close_inherited(void)
{
#ifdef SYS_close_range
    if (!syscall(SYS_close_range, 3u, ~0u, 0u))
        return;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (int fd = 3; fd < most; fd++)
        close(fd);
}
