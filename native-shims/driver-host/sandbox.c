#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "tools.h"

#define COMPUTE_FILES 256u
#define GPU_FILES 4096u
#define TILE_FILES 1024u
#define THREADS 4096u

#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#define ATTR_RDONLY 1u
#define ATTR_NOSUID 2u
#define ATTR_NODEV 4u
#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif

#ifdef ISLE_SANITIZED
#define SANITIZED true
#else
#define SANITIZED false
#endif

const char *const sandbox_profiles[SANDBOX_PROFILES] = {"compute", "gpu", "opencl", "tile"};

static void append(struct sandbox *s, const char *text)
{
    size_t n = strlen(text), room = sizeof s->report - s->length;
    n = n < room ? n : room;
    memcpy(s->report + s->length, text, n);
    s->length += (uint32_t)n;
}

void sandbox_note(struct sandbox *s, const char *what, int code, const char *format, ...)
{
    char detail[96] = "", line[192];
    if (format) {
        va_list args;
        va_start(args, format);
        vsnprintf(detail, sizeof detail, format, args);
        va_end(args);
    }
    if (code)
        snprintf(line, sizeof line, "%s: not applied: %s\n", what, *detail ? detail : strerror(-code));
    else
        snprintf(line, sizeof line, "%s: applied%s%s%s\n", what, *detail ? " (" : "", detail, *detail ? ")" : "");
    append(s, line);
}

static bool has_devices(const struct sandbox *s)
{
    return s->profile == SANDBOX_GPU || s->profile == SANDBOX_OPENCL;
}

static int code_of(long result)
{
    return result < 0 ? -errno : 0;
}

struct mount_attributes {
    uint64_t set, clear, propagation, userns_fd;
};

/* Other programs' mounts stay theirs; ours can only be read, whatever a hole in the rest would let through, but for the driver's folder. */
static int mounts_readonly(const struct sandbox *s)
{
    struct mount_attributes all = {.set = ATTR_RDONLY | ATTR_NOSUID | (has_devices(s) ? 0 : ATTR_NODEV)};
    struct mount_attributes folder = {.clear = ATTR_RDONLY};
    if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        (s->cache && mount(s->cache, s->cache, NULL, MS_BIND, NULL)))
        return -errno;
    int rc = code_of(syscall(SYS_mount_setattr, AT_FDCWD, "/", AT_RECURSIVE, &all, sizeof all));
    if (!rc && s->cache)
        rc = code_of(syscall(SYS_mount_setattr, AT_FDCWD, s->cache, 0, &folder, sizeof folder));
    return rc;
}

/* Returns whether there is a user namespace. */
static bool namespaces(struct sandbox *s)
{
    int user = code_of(unshare(CLONE_NEWUSER));
    sandbox_note(s, "user-namespace", user, NULL);
    sandbox_note(s, "net-namespace", code_of(unshare(CLONE_NEWNET)), NULL);
    sandbox_note(s, "ipc-namespace", code_of(unshare(CLONE_NEWIPC)), NULL);
    sandbox_note(s, "read-only-mounts", mounts_readonly(s), NULL);
    return !user;
}

/* Those of the user namespace, which the mounts took, or without one those of the core. */
static int drop_capabilities(void)
{
    struct __user_cap_header_struct self = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
    return code_of(syscall(SYS_capset, &self, none));
}

static int limit(int which, uint64_t most)
{
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)which, &now))
        return -errno;
    if (now.rlim_max < most)
        most = now.rlim_max;
    return code_of(setrlimit((__rlimit_resource_t)which, &(struct rlimit){most, most}));
}

/* Since 5.14 the kernel counts the threads of a user namespace; before that, those of the user wherever they are. */
static bool counts_by_namespace(void)
{
    struct utsname kernel;
    unsigned major = 0, minor = 0;
    if (uname(&kernel) || sscanf(kernel.release, "%u.%u", &major, &minor) != 2)
        return false;
    return major > 5 || (major == 5 && minor >= 14);
}

/* Root of the machine, whom no limit of threads holds; root of a container has a limit like anybody. */
static bool is_root(void)
{
    unsigned long inside = 1, outside = 1, count = 0;
    FILE *map = fopen("/proc/self/uid_map", "re");
    bool whole = map && fscanf(map, "%lu %lu %lu", &inside, &outside, &count) == 3 && !inside && !outside && count == UINT32_MAX;
    if (map)
        fclose(map);
    return !getuid() && (whole || !map);
}

static void thread_limit(struct sandbox *s, bool root, bool user_namespace)
{
    if (root)
        sandbox_note(s, "thread-limit", -EINVAL, "root has no limit of processes");
    else if (!user_namespace || !counts_by_namespace())
        sandbox_note(s, "thread-limit", -EINVAL, "the limit would count the user's other processes");
    else
        sandbox_note(s, "thread-limit", limit(RLIMIT_NPROC, THREADS), "%u", THREADS);
}

static void limits(struct sandbox *s)
{
    uint32_t files = s->profile == SANDBOX_TILE ? TILE_FILES : has_devices(s) ? GPU_FILES : COMPUTE_FILES;
    sandbox_note(s, "file-limit", limit(RLIMIT_NOFILE, files), "%u", files);
    sandbox_note(s, "core-files", limit(RLIMIT_CORE, 0), "none");
    if (SANITIZED)
        sandbox_note(s, "memory-limit", -EINVAL, "built with sanitizers");
    else if (!s->memory_bytes)
        sandbox_note(s, "memory-limit", -EINVAL, "host_memory_bytes is 0, which means no limit");
    else
        sandbox_note(s, "memory-limit", limit(RLIMIT_DATA, s->memory_bytes), "%llu bytes", (unsigned long long)s->memory_bytes);
}

/* What an OpenCL library needs to compile: somewhere to write, and something to link with. */
static void linker(struct sandbox *s)
{
    if (s->profile != SANDBOX_OPENCL)
        return;
    if (s->cache) /* and there both processes are: a path from there on has no blanks, which libraries take for the end of a path */
        sandbox_note(s, "cache-folder", code_of(chdir(s->cache)), "%s", s->cache);
    else
        sandbox_note(s, "cache-folder", -EINVAL, "no cache folder was given");
    sandbox_note(s, "linker", tools_start(s->memory_bytes), "in a separate process");
}

/*
 * The kernel kills the process when the thread of the core that started it ends, and nothing in here is asked. Credentials that change
 * clear that, so this comes behind the last change of them; seccomp then refuses both the changes and the call itself.
 */
static void end_with_core(struct sandbox *s)
{
    sandbox_note(s, "ends-with-core", code_of(prctl(PR_SET_PDEATHSIG, SIGKILL)), NULL);
}

void sandbox_apply(struct sandbox *s, const char *library)
{
    int abi = 0;
    bool root = is_root(); /* before there is a namespace that knows no user */
    sandbox_note(s, "profile", 0, "%s", sandbox_profiles[s->profile]);
    thread_limit(s, root, namespaces(s));
    limits(s);
    sandbox_note(s, "no-capabilities", drop_capabilities(), NULL);
    if (s->debug)
        sandbox_note(s, "not-traceable", -EINVAL, "host_debug is on");
    else
        sandbox_note(s, "not-traceable", code_of(prctl(PR_SET_DUMPABLE, 0)), NULL);
    sandbox_note(s, "no-new-privileges", code_of(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)), NULL);
    if (SANITIZED) {
        end_with_core(s);
        sandbox_note(s, "landlock", -EINVAL, "built with sanitizers");
        sandbox_note(s, "seccomp", -EINVAL, "built with sanitizers");
        linker(s);
        return;
    }
    int rc = landlock_apply(s, library, &abi);
    if (rc)
        sandbox_note(s, "landlock", rc, NULL);
    else
        sandbox_note(s, "landlock", 0, "abi %d", abi);
    end_with_core(s);
    linker(s); /* a process of its own, which gets its filter when it becomes the linker */
    sandbox_note(s, "seccomp", seccomp_apply(s->profile), NULL);
}

int sandbox_confine_tool(void)
{
    return SANITIZED ? 0 : seccomp_apply_tool();
}
