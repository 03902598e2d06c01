#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

void *host_read(const char *file, uint64_t *bytes)
{
    struct stat about;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about) || about.st_size <= 0)
        host_fail("cannot read", file);
    *bytes = (uint64_t)about.st_size;
    char *data = malloc(*bytes);
    if (!data)
        host_fail("no memory for", file);
    for (uint64_t at = 0; at < *bytes;) {
        ssize_t got = read(fd, data + at, *bytes - at);
        if (got <= 0)
            host_fail("cannot read", file);
        at += (uint64_t)got;
    }
    close(fd);
    return data;
}

void host_write(const char *file, const void *data, uint64_t bytes)
{
    int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        host_fail("cannot write", file);
    for (uint64_t at = 0; at < bytes;) {
        ssize_t put = write(fd, (const char *)data + at, bytes - at);
        if (put <= 0)
            host_fail("cannot write", file);
        at += (uint64_t)put;
    }
    /* as jobs do before an output gets its name */
    if (fsync(fd) || close(fd))
        host_fail("cannot write", file);
}
