/*
 * Built programs on disk, a file each: head, then the binary. The name is a digest of all that the binary depends on; the head has a
 * digest of the binary, so that a damaged file is never given to a library. When there is too much, what was not used for longest goes.
 */
#define _GNU_SOURCE
#include "cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../kit/kit.h"
#include "digest.h"

#define MAGIC "ISLEOCL1"
#define MOST_FILES 4096u

struct head {
    char magic[8];
    uint64_t length;
    uint8_t digest[32];
};

struct file {
    char name[80];
    uint64_t bytes;
    struct timespec used;
};

void cache_key(const struct device *d, uint32_t kind, const struct origin *o, const struct appendix *behind, struct cache_key *out)
{
    struct {
        char platform[sizeof d->facts.platform], name[sizeof d->facts.name], version[sizeof d->facts.version];
        char driver[sizeof d->facts.driver];
        uint32_t kind, units;
        uint8_t options[32], source[32];
    } all;
    uint8_t digest[32];
    memset(&all, 0, sizeof all);
    memcpy(all.platform, d->facts.platform, sizeof all.platform);
    memcpy(all.name, d->facts.name, sizeof all.name);
    memcpy(all.version, d->facts.version, sizeof all.version);
    memcpy(all.driver, d->facts.driver, sizeof all.driver);
    all.kind = kind;
    all.units = d->settings.units;
    digest_of(o->options, strlen(o->options), all.options);
    origin_digest(o, behind, all.source);
    digest_of(&all, sizeof all, digest);
    for (int i = 0; i < 32; i++)
        snprintf(out->name + 2 * i, 3, "%02x", digest[i]);
}

static bool enabled(const struct device *d)
{
    return *d->settings.cache_dir && d->settings.cache_bytes;
}

/* The folder of this driver's files in the one that was given; -1: none. */
static int folder_of(const struct device *d)
{
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/programs", d->settings.cache_dir);
    mkdir(path, 0700);
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static bool read_all(int fd, void *to, uint64_t length)
{
    for (uint64_t done = 0; done < length;) {
        ssize_t n = read(fd, (uint8_t *)to + done, length - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (uint64_t)n;
    }
    return true;
}

static bool write_all(int fd, const void *from, uint64_t length)
{
    for (uint64_t done = 0; done < length;) {
        ssize_t n = write(fd, (const uint8_t *)from + done, length - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (uint64_t)n;
    }
    return true;
}

static uint8_t *read_entry(const struct device *d, int fd, size_t *length)
{
    struct stat at;
    struct head h;
    uint8_t digest[32];
    if (fstat(fd, &at) || !S_ISREG(at.st_mode) || !read_all(fd, &h, sizeof h) || memcmp(h.magic, MAGIC, sizeof h.magic) || !h.length ||
        h.length > d->settings.cache_bytes || (uint64_t)at.st_size != sizeof h + h.length)
        return NULL;
    uint8_t *binary = malloc(h.length);
    if (binary && read_all(fd, binary, h.length)) {
        digest_of(binary, h.length, digest);
        if (!memcmp(digest, h.digest, sizeof digest)) {
            *length = h.length;
            return binary;
        }
    }
    free(binary);
    return NULL;
}

uint8_t *cache_get(const struct device *d, const struct cache_key *key, size_t *length)
{
    uint8_t *binary = NULL;
    int folder = enabled(d) ? folder_of(d) : -1, fd = folder < 0 ? -1 : openat(folder, key->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd >= 0) {
        binary = read_entry(d, fd, length);
        if (binary)
            futimens(fd, NULL); /* used now */
        else
            kit_log(d->core, ISLE_LOG_WARN, "the stored built program %s is damaged; the program is built again", key->name);
        close(fd);
    }
    if (folder >= 0)
        close(folder);
    return binary;
}

static int by_use(const void *a, const void *b)
{
    const struct timespec *x = &((const struct file *)a)->used, *y = &((const struct file *)b)->used;
    return x->tv_sec != y->tv_sec ? (x->tv_sec > y->tv_sec) - (x->tv_sec < y->tv_sec)
                                  : (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Makes room for `bytes` more; false when it cannot be told how much there is. */
static bool evict(const struct device *d, int folder, uint64_t bytes)
{
    struct file *files = malloc(MOST_FILES * sizeof *files);
    int again = dup(folder);
    DIR *list = again >= 0 ? fdopendir(again) : NULL;
    uint32_t count = 0;
    uint64_t sum = bytes;
    if (!list && again >= 0)
        close(again);
    for (struct dirent *e; files && list && (e = readdir(list));) {
        struct stat at;
        if (*e->d_name == '.' || strlen(e->d_name) >= sizeof files->name || fstatat(folder, e->d_name, &at, AT_SYMLINK_NOFOLLOW) ||
            !S_ISREG(at.st_mode))
            continue;
        if (count == MOST_FILES) {
            unlinkat(folder, e->d_name, 0);
            continue;
        }
        struct file *f = &files[count++];
        memcpy(f->name, e->d_name, strlen(e->d_name) + 1);
        f->bytes = (uint64_t)at.st_size;
        f->used = at.st_mtim;
        sum += f->bytes;
    }
    if (count)
        qsort(files, count, sizeof *files, by_use);
    for (uint32_t i = 0; i < count && sum > d->settings.cache_bytes; i++) {
        unlinkat(folder, files[i].name, 0);
        sum -= files[i].bytes;
    }
    bool told = files && list;
    if (list)
        closedir(list);
    free(files);
    return told;
}

void cache_put(const struct device *d, const struct cache_key *key, const uint8_t *binary, size_t length)
{
    static atomic_uint turn;
    char beside[128];
    struct head h = {.magic = {'I', 'S', 'L', 'E', 'O', 'C', 'L', '1'}, .length = length};
    if (!enabled(d) || length > d->settings.cache_bytes - (d->settings.cache_bytes < sizeof h ? d->settings.cache_bytes : sizeof h))
        return;
    int folder = folder_of(d);
    if (folder < 0) {
        kit_log(d->core, ISLE_LOG_WARN, "built programs cannot be stored on disk: %.200s: %s", d->settings.cache_dir, strerror(errno));
        return;
    }
    digest_of(binary, length, h.digest);
    snprintf(beside, sizeof beside, "new-%d-%u-%.16s", (int)getpid(), atomic_fetch_add(&turn, 1), key->name);
    bool room = evict(d, folder, sizeof h + length);
    int fd = room ? openat(folder, beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    bool written = fd >= 0 && write_all(fd, &h, sizeof h) && write_all(fd, binary, length);
    if (fd >= 0 && (close(fd) || !written || renameat(folder, beside, folder, key->name)))
        unlinkat(folder, beside, 0);
    close(folder);
}
