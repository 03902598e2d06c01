/* Landlock: of the file system only what a dynamic library needs, and of that nothing can be written. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox.h"

/* The kernel's numbers; the header of the build machine may be older than the kernel that runs this. */
#define SYS_CREATE 444
#define SYS_ADD_RULE 445
#define SYS_RESTRICT 446
#define CREATE_VERSION 1u
#define RULE_PATH_BENEATH 1
#define FS_EXECUTE (1ull << 0)
#define FS_WRITE_FILE (1ull << 1)
#define FS_READ_FILE (1ull << 2)
#define FS_READ_DIR (1ull << 3)
#define FS_IOCTL_DEV (1ull << 15)
#define NET_ALL 3ull
#define SCOPE_ALL 3ull

struct ruleset {
    uint64_t fs, net, scoped;
};
struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

#define READ (FS_READ_FILE | FS_READ_DIR)
#define LOAD (READ | FS_EXECUTE)
#define DEVICE (READ | FS_WRITE_FILE | FS_IOCTL_DEV)

static const struct grant {
    const char *path;
    uint64_t access;
    bool gpu; /* for that profile alone */
} grants[] = {
    {"/lib", LOAD, false},
    {"/lib64", LOAD, false},
    {"/usr/lib", LOAD, false},
    {"/usr/lib64", LOAD, false},
    {"/usr/local/lib", LOAD, false},
    {"/etc/ld.so.cache", FS_READ_FILE, false},
    {"/proc/self", READ, false},
    {"/proc/cpuinfo", FS_READ_FILE, false},
    {"/proc/meminfo", FS_READ_FILE, false},
    {"/sys/devices/system", READ, false},
    {"/dev/null", FS_READ_FILE, false},
    {"/dev/urandom", FS_READ_FILE, false},
    {"/dev/dri", DEVICE, true},
    {"/dev/kfd", DEVICE, true},
    {"/dev/accel", DEVICE, true},
    {"/dev/nvidiactl", DEVICE, true},
    {"/dev/nvidia-uvm", DEVICE, true},
    {"/dev/nvidia-uvm-tools", DEVICE, true},
    {"/dev/nvidia-caps", DEVICE, true},
    {"/sys", READ, true},
    {"/proc/driver", READ, true},
    {"/proc/devices", FS_READ_FILE, true},
    {"/proc/modules", FS_READ_FILE, true},
    {"/usr/share", READ, true},
    {"/etc", READ, true},
};

#define MOST_NUMBERED 32 /* device nodes of one name */

/* Accesses that an ABI version knows: bits 0..12, then one each of versions 2, 3 and 5. */
static uint64_t fs_of(int abi)
{
    int bits = abi >= 5 ? 16 : abi >= 3 ? 15 : abi >= 2 ? 14 : 13;
    return (1ull << bits) - 1;
}

/* What is not there needs no rule. */
static int grant_path(int ruleset, const char *path, uint64_t access)
{
    struct stat at;
    struct path_rule rule = {.parent = open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent < 0)
        return errno == ENOENT || errno == EACCES || errno == ENOTDIR ? 0 : -errno;
    int rc = fstat(rule.parent, &at) ? -errno : 0;
    rule.allowed = rc || S_ISDIR(at.st_mode) ? access : access & ~FS_READ_DIR;
    if (!rc && syscall(SYS_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0))
        rc = -errno;
    close(rule.parent);
    return rc;
}

static int grant_numbered(int ruleset, const char *prefix, uint64_t access)
{
    int rc = 0;
    for (int i = 0; i < MOST_NUMBERED && !rc; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s%d", prefix, i);
        rc = grant_path(ruleset, path, access);
    }
    return rc;
}

static int grant_folder_of(int ruleset, const char *library, uint64_t access)
{
    char folder[PATH_MAX];
    if (!realpath(library, folder))
        return 0; /* loading it will say why */
    char *slash = strrchr(folder, '/');
    slash[slash == folder] = 0;
    return grant_path(ruleset, folder, access);
}

int landlock_apply(enum sandbox_profile profile, const char *library, int *abi)
{
    long version = syscall(SYS_CREATE, NULL, 0, CREATE_VERSION);
    if (version < 1)
        return version ? -errno : -ENOSYS;
    *abi = (int)version;
    uint64_t known = fs_of(*abi);
    struct ruleset set = {.fs = known, .net = *abi >= 4 ? NET_ALL : 0, .scoped = *abi >= 6 ? SCOPE_ALL : 0};
    size_t size = *abi >= 6 ? sizeof set : *abi >= 4 ? 2 * sizeof set.fs : sizeof set.fs;
    int ruleset = (int)syscall(SYS_CREATE, &set, size, 0);
    if (ruleset < 0)
        return -errno;
    int rc = grant_folder_of(ruleset, library, LOAD & known);
    for (size_t i = 0; i < sizeof grants / sizeof grants[0] && !rc; i++)
        if (!grants[i].gpu || profile == SANDBOX_GPU)
            rc = grant_path(ruleset, grants[i].path, grants[i].access & known);
    if (!rc && profile == SANDBOX_GPU)
        rc = grant_numbered(ruleset, "/dev/nvidia", DEVICE & known);
    if (!rc && syscall(SYS_RESTRICT, ruleset, 0))
        rc = -errno;
    close(ruleset);
    return rc;
}
