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
#include "tools.h"

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
#define FS_REMOVE (3ull << 4)            /* folders and files */
#define FS_MAKE (1ull << 7 | 1ull << 8)  /* folders and files, and nothing else */
#define FS_REFER (1ull << 13)
#define FS_TRUNCATE (1ull << 14)
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
#define FOLDER (READ | FS_WRITE_FILE | FS_REMOVE | FS_MAKE | FS_REFER | FS_TRUNCATE)

#define GPU (1u << SANDBOX_GPU)
#define OPENCL (1u << SANDBOX_OPENCL)
#define DEVICES (GPU | OPENCL)
#define EVERY (1u << SANDBOX_COMPUTE | 1u << SANDBOX_TILE | DEVICES)

static const struct grant {
    const char *path;
    uint64_t access;
    unsigned profiles; /* bit set of 1 << SANDBOX_* */
} grants[] = {
    {"/lib", LOAD, EVERY},
    {"/lib64", LOAD, EVERY},
    {"/usr/lib", LOAD, EVERY},
    {"/usr/lib64", LOAD, EVERY},
    {"/usr/local/lib", LOAD, EVERY},
    {"/etc/ld.so.cache", FS_READ_FILE, EVERY},
    {"/proc/self", READ, EVERY},
    {"/proc/cpuinfo", FS_READ_FILE, EVERY},
    {"/proc/meminfo", FS_READ_FILE, EVERY},
    {"/sys/devices/system", READ, EVERY},
    {"/dev/null", FS_READ_FILE, EVERY},
    {"/dev/urandom", FS_READ_FILE, EVERY},
    {"/dev/dri", DEVICE, DEVICES},
    {"/dev/kfd", DEVICE, DEVICES},
    {"/dev/accel", DEVICE, DEVICES},
    {"/dev/nvidiactl", DEVICE, DEVICES},
    {"/dev/nvidia-uvm", DEVICE, DEVICES},
    {"/dev/nvidia-uvm-tools", DEVICE, DEVICES},
    {"/dev/nvidia-caps", DEVICE, DEVICES},
    {"/sys", READ, DEVICES},
    {"/proc/driver", READ, DEVICES},
    {"/proc/devices", FS_READ_FILE, DEVICES},
    {"/proc/modules", FS_READ_FILE, DEVICES},
    {"/usr/share", READ, GPU},
    {"/etc", READ, GPU},
    {"/etc/OpenCL", READ, OPENCL},
    {"/usr/share/pocl", READ, OPENCL},
    {"/usr/share/clc", READ, OPENCL},
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
    if (!library || !realpath(library, folder))
        return 0; /* loading it will say why */
    char *slash = strrchr(folder, '/');
    slash[slash == folder] = 0;
    return grant_path(ruleset, folder, access);
}

/* The folder to write in, and what may be run: it inherits all of this. */
static int grant_opencl(int ruleset, const struct sandbox *s, uint64_t known)
{
    int rc = s->cache ? grant_path(ruleset, s->cache, FOLDER & known) : 0;
    for (int i = 0; tools_linkers[i] && !rc; i++)
        rc = grant_path(ruleset, tools_linkers[i], (FS_READ_FILE | FS_EXECUTE) & known);
    return rc;
}

int landlock_apply(const struct sandbox *s, const char *library, int *abi)
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
        if (grants[i].profiles >> s->profile & 1)
            rc = grant_path(ruleset, grants[i].path, grants[i].access & known);
    if (!rc && 1u << s->profile & DEVICES)
        rc = grant_numbered(ruleset, "/dev/nvidia", DEVICE & known);
    for (int i = 0; s->profile == SANDBOX_TILE && s->readable && s->readable[i] && !rc; i++)
        rc = grant_path(ruleset, s->readable[i], LOAD & known);
    if (!rc && s->profile == SANDBOX_OPENCL)
        rc = grant_opencl(ruleset, s, known);
    if (!rc && syscall(SYS_RESTRICT, ruleset, 0))
        rc = -errno;
    close(ruleset);
    return rc;
}
