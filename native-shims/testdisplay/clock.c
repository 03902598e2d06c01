/* When frames begin. Pure arithmetic on the nanoseconds of CLOCK_MONOTONIC; products have 128 bits. */
#include "display.h"

typedef unsigned __int128 wide;

bool frames_run(const struct frames *f)
{
    return f->clock_khz != 0;
}

/* n frames of the fixed rate, rounded up, so that the frame has begun at this time. */
static uint64_t fixed_ns(const struct frames *f, uint64_t n)
{
    return (uint64_t)(((wide)n * f->total * 1000000 + f->clock_khz - 1) / f->clock_khz);
}

uint64_t frames_at(const struct frames *f, uint64_t n)
{
    return f->base_ns + (f->longest_ns ? n * f->longest_ns : fixed_ns(f, n));
}

uint64_t frames_newest(const struct frames *f, uint64_t now)
{
    uint64_t passed = now > f->base_ns ? now - f->base_ns : 0;
    return f->longest_ns ? passed / f->longest_ns : (uint64_t)((wide)passed * f->clock_khz / ((wide)f->total * 1000000));
}

/* At a variable rate the screen waits for the flip, but a frame lasts as long as the mode says at least. */
uint64_t frames_flip_at(const struct frames *f, uint64_t since)
{
    uint64_t newest = frames_newest(f, since), at = frames_at(f, newest);
    if (f->longest_ns) {
        uint64_t earliest = at + fixed_ns(f, 1), latest = at + f->longest_ns;
        uint64_t begins = since > earliest ? since : earliest;
        return begins < latest ? begins : latest;
    }
    return at >= since ? at : frames_at(f, newest + 1);
}

/* A frame that begins at the very time is the new run's. */
void frames_restart(struct frames *f, uint64_t now, uint64_t total, uint32_t clock_khz, uint64_t longest_ns)
{
    uint64_t begun = f->base;
    if (frames_run(f)) {
        uint64_t newest = frames_newest(f, now);
        begun += newest + !(clock_khz && frames_at(f, newest) == now);
    }
    *f = (struct frames){.base_ns = now, .base = begun, .total = total, .clock_khz = clock_khz, .longest_ns = longest_ns};
}
