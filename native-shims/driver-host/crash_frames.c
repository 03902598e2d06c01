/*
 * Where a thread was when it crashed: code addresses, and the files that are mapped there. For a signal handler: only stores and system
 * calls, no allocation, no lock. Frames are found by frame pointers, in code that is compiled with them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "crash.h"

#define MOST_STACK (64u << 20)    /* between two frames */
#define MOST_FUNCTION (16u << 10) /* from where it begins to where it crashed */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNCHECKED __attribute__((no_sanitize("address", "thread", "undefined")))
#else
#define UNCHECKED
#endif

/* The kernel looks at the set before it refuses to do anything with it: so it tells whether 8 bytes can be read. */
static bool readable(uint64_t address)
{
    return syscall(SYS_rt_sigprocmask, -1, (void *)(uintptr_t)address, NULL, sizeof(uint64_t)) < 0 && errno == EINVAL;
}

UNCHECKED static bool word_at(uint64_t address, uint64_t *out)
{
    if (address & 7 || !readable(address))
        return false;
    *out = *(const volatile uint64_t *)(uintptr_t)address;
    return true;
}

/* What the processor was at; `back`: where a function without a frame of its own returns to, 0 when there is none. */
static bool registers(const ucontext_t *c, uint64_t *pc, uint64_t *sp, uint64_t *fp, uint64_t *back)
{
#if defined(__x86_64__)
    *pc = (uint64_t)c->uc_mcontext.gregs[REG_RIP];
    *sp = (uint64_t)c->uc_mcontext.gregs[REG_RSP];
    *fp = (uint64_t)c->uc_mcontext.gregs[REG_RBP];
    if (!word_at(*sp, back))
        *back = 0;
    return true;
#elif defined(__aarch64__)
    *pc = c->uc_mcontext.pc;
    *sp = c->uc_mcontext.sp;
    *fp = c->uc_mcontext.regs[29];
    *back = c->uc_mcontext.regs[30];
    return true;
#else
    (void)c, (void)pc, (void)sp, (void)fp, (void)back;
    return false;
#endif
}

static uint32_t walk(uint64_t sp, uint64_t fp, struct crash_frame *frames, uint32_t count)
{
    uint64_t next, back;
    for (uint64_t last = sp; count < CRASH_FRAMES && fp >= last && fp - last < MOST_STACK; last = fp, fp = next) {
        if (!word_at(fp, &next) || !word_at(fp + 8, &back) || !back)
            break;
        frames[count++].pc = back;
        if (next <= fp)
            break;
    }
    return count;
}

/* A line of /proc/self/maps as far as it has been read. */
struct line {
    uint64_t start, end, offset, inode;
    uint32_t field, length, permission;
    bool code;
    char path[CRASH_PATH];
};

static uint64_t digit(char c, unsigned base)
{
    unsigned d = c >= 'a' ? (unsigned)(c - 'a') + 10 : (unsigned)(c - '0');
    return d < base ? d : 0;
}

/* START-END PERMISSIONS OFFSET DEVICE INODE PATH */
static void take(struct line *l, char c)
{
    static const char ends[] = {'-', ' ', ' ', ' ', ' ', ' '};
    if (l->field < sizeof ends && c == ends[l->field]) {
        l->field++;
        return;
    }
    switch (l->field) {
    case 0:
        l->start = l->start * 16 + digit(c, 16);
        break;
    case 1:
        l->end = l->end * 16 + digit(c, 16);
        break;
    case 2:
        l->code |= l->permission++ == 2 && c == 'x';
        break;
    case 3:
        l->offset = l->offset * 16 + digit(c, 16);
        break;
    case 5:
        l->inode = l->inode * 10 + digit(c, 10);
        break;
    case 6:
        if ((l->length || c != ' ') && l->length < sizeof l->path - 1)
            l->path[l->length++] = c;
        break;
    default:
        break;
    }
}

/* Offsets count from where the file's beginning is mapped, as its symbols do. */
static void place(const struct line *l, struct crash_frame *frames, uint32_t count, uint64_t *base, uint64_t *base_inode)
{
    if (l->inode && !l->offset) {
        *base = l->start;
        *base_inode = l->inode;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct crash_frame *f = &frames[i];
        if (f->pc < l->start || f->pc >= l->end)
            continue;
        f->code = l->code;
        f->offset = l->inode && l->inode == *base_inode ? f->pc - *base : f->pc - l->start + l->offset;
        memcpy(f->path, l->path, l->length);
        f->path[l->length] = 0;
    }
}

static void look_up(int maps, struct crash_frame *frames, uint32_t count)
{
    static char block[4096];
    static struct line l;
    uint64_t base = 0, base_inode = 0;
    off_t at = 0;
    ssize_t n;
    while ((n = pread(maps, block, sizeof block, at)) > 0) {
        for (ssize_t i = 0; i < n; i++) {
            if (block[i] != '\n') {
                take(&l, block[i]);
                continue;
            }
            place(&l, frames, count, &base, &base_inode);
            memset(&l, 0, offsetof(struct line, path));
        }
        at += n;
    }
}

/*
 * Whether a call stands before the address `back`, for what lies on a stack may be many things; in the same file as `pc` a call of the
 * function that `pc` is in, as far as can be told.
 */
UNCHECKED static bool follows_call(uint64_t back, uint64_t pc, bool same_file)
{
#if defined(__x86_64__)
    static const int indirect[] = {2, 3, 4, 6, 7};
    const volatile uint8_t *at = (const volatile uint8_t *)(uintptr_t)back;
    if (!readable(back - 8))
        return false;
    for (size_t i = 0; i < sizeof indirect / sizeof indirect[0] && !same_file; i++)
        if (at[-indirect[i]] == 0xff && (at[1 - indirect[i]] >> 3 & 7) == 2)
            return true;
    uint32_t distance = at[-4] | (uint32_t)at[-3] << 8 | (uint32_t)at[-2] << 16 | (uint32_t)at[-1] << 24;
    uint64_t called = back + (uint64_t)(int64_t)(int32_t)distance;
    return at[-5] == 0xe8 && (!same_file || (called <= pc && pc - called < MOST_FUNCTION));
#else
    return !(back & 3) && !same_file && pc;
#endif
}

uint32_t crash_frames(const void *context, int maps, struct crash_frame *frames)
{
    uint64_t sp, fp, back;
    if (!context || !registers(context, &frames[0].pc, &sp, &fp, &back))
        return 0;
    frames[1].pc = back;
    uint32_t count = walk(sp, fp, frames, 2);
    look_up(maps, frames, count);
    /* A call that led nowhere left its return address, and so did one of a function that has no frame, such as memcpy. */
    bool same_file = frames[0].code && !strcmp(frames[0].path, frames[1].path), known = count > 2 && frames[2].pc == back;
    if (!known && frames[1].code && follows_call(back, frames[0].pc, same_file))
        return count;
    memmove(frames + 1, frames + 2, (count - 2) * sizeof *frames);
    return count - 1;
}
