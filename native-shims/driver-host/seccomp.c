/*
 * The system calls that a driver may make, as a BPF program put together here. Anything else fails with EPERM, so that a library that
 * only tries something goes on; what nothing but an attack would try, and a call by another architecture's numbers, ends the process
 * with SIGSYS. clone3 fails with ENOSYS: the C library then uses clone, whose flags can be looked at.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf.h"
#include "sandbox.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#define OTHER_NUMBERS 0x40000000u /* x32 */
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

/* Number or -1: some calls exist on one architecture only. */
#ifdef SYS_open
#define OLD(name) SYS_##name
#else
#define OLD(name) -1
#endif

static const int allowed[] = {
    SYS_futex, SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_sched_yield, SYS_gettimeofday, OLD(time),
    SYS_times, SYS_getrusage, SYS_getcpu, SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_close, SYS_fstat, SYS_newfstatat,
    SYS_statx, OLD(stat), OLD(lstat), SYS_lseek, OLD(access), SYS_faccessat, OLD(readlink), SYS_readlinkat, SYS_getdents64, SYS_dup,
    SYS_dup3, SYS_pipe2, SYS_eventfd2, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, OLD(epoll_wait), OLD(poll), SYS_ppoll,
    OLD(select), SYS_pselect6, SYS_timerfd_create, SYS_timerfd_settime, SYS_timerfd_gettime, SYS_recvmsg, SYS_munmap, SYS_mprotect,
    SYS_mremap, SYS_madvise, SYS_mincore, SYS_msync, SYS_mlock, SYS_mlock2, SYS_munlock, SYS_brk, SYS_membarrier, SYS_get_mempolicy,
    SYS_set_mempolicy, SYS_mbind, SYS_sched_getaffinity, SYS_sched_getparam, SYS_sched_getscheduler,
    SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_getpriority, SYS_getpid, SYS_getppid, SYS_gettid, SYS_getuid,
    SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getcwd, SYS_uname, SYS_sysinfo, SYS_getrandom, SYS_getrlimit, SYS_exit, SYS_exit_group,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigtimedwait, SYS_sigaltstack, SYS_restart_syscall,
    SYS_set_robust_list, SYS_set_tid_address, OLD(arch_prctl),
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_close_range
    SYS_close_range,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef SYS_epoll_pwait2
    SYS_epoll_pwait2,
#endif
};

static const int allowed_gpu[] = {SYS_memfd_create, SYS_ftruncate, SYS_fallocate, SYS_sendmsg, SYS_pwrite64, OLD(open)};

/* Files of the folder that it was given: Landlock says where. Of modes and owners it says nothing, so these cannot be changed anywhere. */
static const int allowed_opencl[] = {
    SYS_mkdirat, OLD(mkdir), SYS_renameat, SYS_renameat2, OLD(rename), SYS_unlinkat, OLD(unlink), OLD(rmdir), SYS_fsync, SYS_fdatasync,
    SYS_umask,
};

static const int fatal[] = {
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns,
    SYS_bpf, SYS_perf_event_open, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_userfaultfd, SYS_keyctl,
    SYS_add_key, SYS_request_key, SYS_open_by_handle_at, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_execve, SYS_execveat,
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup,
#endif
};

#define NAMESPACES \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

static bool has_devices(enum sandbox_profile profile)
{
    return profile == SANDBOX_GPU || profile == SANDBOX_OPENCL;
}

/* With it the C library has all threads change their user at once, and waits for each of them, the core's watcher too. */
#define SIGNAL_OF_SETUID 33

/* raise() and abort() in this process, nothing to another; and nothing that stops the process, for then it would not see its core end. */
static void tgkill_calls(struct program *p)
{
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 8);
    load(p, ARGUMENT(0));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 0, 5);
    load(p, ARGUMENT(2));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SIGNAL_OF_SETUID, 3, 0);
    put(p, BPF_JMP | BPF_JGT | BPF_K, SIGTTOU, 1, 0);
    put(p, BPF_JMP | BPF_JGE | BPF_K, SIGSTOP, 1, 0);
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, REFUSE(EPERM));
}

/* The caller's own limits can be read: no process but its own, and no new limit, a pointer of which both halves count. */
static void prlimit_calls(struct program *p)
{
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 8);
    load(p, ARGUMENT(0));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 5);
    load(p, ARGUMENT(2));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
    load(p, ARGUMENT_HIGH(2));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, REFUSE(EPERM));
}

/* Times of a file that is open, not of one that is named, for the same reason. */
static void utimensat_calls(struct program *p)
{
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_utimensat, 0, 6);
    load(p, ARGUMENT(1));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
    load(p, ARGUMENT_HIGH(1));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, REFUSE(EPERM));
}

/* No memory that the limit of private memory would not count: what grows like a stack, nor shared anonymous memory (without devices). */
static void mmap_calls(struct program *p, enum sandbox_profile profile)
{
    const uint32_t shared = has_devices(profile) ? 0 : MAP_SHARED | MAP_ANONYMOUS;
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, shared ? 6 : 4);
    load(p, ARGUMENT(3));
    put(p, BPF_JMP | BPF_JSET | BPF_K, MAP_GROWSDOWN, shared ? 3 : 1, 0);
    if (shared) {
        put(p, BPF_ALU | BPF_AND | BPF_K, shared, 0, 0);
        put(p, BPF_JMP | BPF_JEQ | BPF_K, shared, 1, 0);
    }
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, REFUSE(EPERM));
}

static void checked_calls(struct program *p, enum sandbox_profile profile)
{
    const uint32_t all = UINT32_MAX;
    /* threads, not processes */
    when_masked(p, SYS_clone, 0, CLONE_THREAD | CLONE_VM | NAMESPACES, CLONE_THREAD | CLONE_VM, REFUSE(EPERM));
    /* the caller's own */
    when_masked(p, SYS_sched_setaffinity, 0, all, 0, REFUSE(EPERM));
    if (has_devices(profile)) {
        when_masked(p, SYS_sched_setscheduler, 0, all, 0, REFUSE(EPERM));
        return;
    }
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 5);
    load(p, ARGUMENT(2));
    put(p, BPF_ALU | BPF_AND | BPF_K, O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY), 0, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, O_RDONLY, 0, 1);
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, REFUSE(EACCES));
}

/* Descriptor and status flags (0 to 4), copies and seals (1030 up); not who gets a signal for it. */
static void fcntl_calls(struct program *p)
{
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 5);
    load(p, ARGUMENT(1));
    put(p, BPF_JMP | BPF_JGE | BPF_K, F_DUPFD_CLOEXEC, 1, 0);
    put(p, BPF_JMP | BPF_JGT | BPF_K, F_SETFL, 1, 0);
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, REFUSE(EPERM));
}

/* PR_SET_NAME, PR_GET_NAME and the naming of mappings. */
static void prctl_calls(struct program *p)
{
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 6);
    load(p, ARGUMENT(0));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, PR_SET_NAME, 2, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, PR_GET_NAME, 1, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, 0x53564d41, 0, 1);
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, REFUSE(EPERM));
}

/* What devices understand; not who gets a socket's signals, and nothing that types into a terminal. */
static void ioctl_calls(struct program *p)
{
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 7);
    load(p, ARGUMENT(1));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, FIOSETOWN, 4, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SIOCSPGRP, 3, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 2, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, TIOCLINUX, 1, 0);
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, REFUSE(EPERM));
}

/* The call goes on only if the word has this value. */
static void require(struct program *p, uint32_t offset, uint32_t value)
{
    load(p, offset);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    answer(p, REFUSE(EPERM));
}

/* The first argument is the descriptor of a port. */
static void require_port(struct program *p)
{
    load(p, ARGUMENT(0));
    put(p, BPF_JMP | BPF_JGE | BPF_K, TILE_FIRST_PORT, 0, 1);
    put(p, BPF_JMP | BPF_JGE | BPF_K, TILE_FIRST_PORT + TILE_PORTS, 0, 1);
    answer(p, REFUSE(EPERM));
}

/* A wake-up: no buffer, no address, and no waiting. */
static void wake_calls(struct program *p, int number)
{
    put(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 32);
    require_port(p);
    for (int n = 1; n < 6; n++) {
        if (n == 3)
            continue;
        require(p, ARGUMENT(n), 0);
        require(p, ARGUMENT_HIGH(n), 0);
    }
    require(p, ARGUMENT(3), MSG_DONTWAIT);
    answer(p, SECCOMP_RET_ALLOW);
}

/* What a tile asks of its sockets; and a process that becomes less visible, and gives calls away. */
static void tile_calls(struct program *p)
{
    wake_calls(p, SYS_sendto);
    wake_calls(p, SYS_recvfrom);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_getsockopt, 0, 5);
    require_port(p);
    answer(p, SECCOMP_RET_ALLOW);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 8);
    load(p, ARGUMENT(0));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, PR_SET_DUMPABLE, 0, 5);
    load(p, ARGUMENT(1));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
    load(p, ARGUMENT_HIGH(1));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
    answer(p, SECCOMP_RET_ALLOW);
    load(p, offsetof(struct seccomp_data, nr));
    when_masked(p, SYS_seccomp, 0, UINT32_MAX, SECCOMP_SET_MODE_FILTER, REFUSE(EPERM));
}

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static int apply(enum sandbox_profile profile, bool tool)
{
    static struct program p;
    static const int none[] = {SYS_clone3}, plain[] = {SYS_openat}, begin[] = {SYS_execve};
    load(&p, offsetof(struct seccomp_data, arch));
    put(&p, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    answer(&p, SECCOMP_RET_KILL_PROCESS);
    load(&p, offsetof(struct seccomp_data, nr));
#ifdef OTHER_NUMBERS
    put(&p, BPF_JMP | BPF_JGE | BPF_K, OTHER_NUMBERS, 0, 1);
    answer(&p, SECCOMP_RET_KILL_PROCESS);
#endif
    each(&p, allowed, COUNT(allowed), SECCOMP_RET_ALLOW);
    if (has_devices(profile)) {
        each(&p, allowed_gpu, COUNT(allowed_gpu), SECCOMP_RET_ALLOW);
        each(&p, plain, COUNT(plain), SECCOMP_RET_ALLOW);
        ioctl_calls(&p);
    }
    if (profile == SANDBOX_OPENCL) {
        each(&p, allowed_opencl, COUNT(allowed_opencl), SECCOMP_RET_ALLOW);
        utimensat_calls(&p);
    }
    if (profile == SANDBOX_TILE)
        tile_calls(&p);
    if (tool || profile == SANDBOX_TILE)
        each(&p, begin, COUNT(begin), SECCOMP_RET_ALLOW);
    each(&p, none, COUNT(none), REFUSE(ENOSYS));
    each(&p, fatal, COUNT(fatal), SECCOMP_RET_KILL_PROCESS);
    tgkill_calls(&p);
    prlimit_calls(&p);
    mmap_calls(&p, profile);
    checked_calls(&p, profile);
    fcntl_calls(&p);
    prctl_calls(&p);
    answer(&p, REFUSE(EPERM));
    if (p.length > MOST)
        return -E2BIG;
    struct sock_fprog filter = {.len = p.length, .filter = p.code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) ? -errno : 0;
}

int seccomp_apply(enum sandbox_profile profile)
{
    return apply(profile, false);
}

int seccomp_apply_tool(void)
{
    return apply(SANDBOX_OPENCL, true);
}

#else

int seccomp_apply(enum sandbox_profile profile)
{
    (void)profile;
    return -ENOSYS;
}

int seccomp_apply_tool(void)
{
    return -ENOSYS;
}

#endif
