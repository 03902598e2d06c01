/*
 * Links between tiles in shared memory: a ring of fragments' metadata (mcache), memory for payloads (dcache), progress of reliable consumers
 * (fseq), and flow control. The layouts are those of Firedancer. Little-endian; needs a compiler with __atomic (gcc, clang). docs/net-links.md
 * has the protocol.
 *
 * Owners: one producer writes mcache and dcache, one consumer an fseq. The other side may be hostile: heads are checked once, and their values
 * are kept; chunk and size of a fragment are checked by isle_chunks_contain before their use. Sequence numbers wrap around: compare them by
 * isle_seq_diff.
 */
#ifndef ISLE_TANGO_H
#define ISLE_TANGO_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- layouts ---- */

#define ISLE_MCACHE_MAGIC 0xF17EDA2C373CA540ull
#define ISLE_DCACHE_MAGIC 0xF17EDA2C37DCA540ull
#define ISLE_FSEQ_MAGIC 0xF17EDA2C37F5EC00ull

#define ISLE_MCACHE_ALIGN 128u
#define ISLE_MCACHE_LEAST_DEPTH 128u
#define ISLE_MCACHE_MOST_DEPTH (1u << 24)
#define ISLE_DCACHE_ALIGN 4096u
#define ISLE_CHUNK_BYTES 64u
#define ISLE_SLOT_BYTES 128u /* payloads of a ring begin at multiples of this */
#define ISLE_MOST_MTU 65535u

/* ctl of ordinary links: bits 0 to 2, then 13 bits of origin. On RX links of a net tile: the low 6 bits of the frame's offset. */
#define ISLE_CTL_SOM 1u
#define ISLE_CTL_EOM 2u
#define ISLE_CTL_ERR 4u
#define ISLE_CTL_WHOLE (ISLE_CTL_SOM | ISLE_CTL_EOM)

/* The line of a fragment. `place` and `times` are the fields beside them, for one access each. */
typedef struct {
    uint64_t seq;
    uint64_t sig;
    union {
        struct {
            uint32_t chunk;
            uint16_t sz;
            uint16_t ctl;
        };
        uint64_t place;
    };
    union {
        struct {
            uint32_t tsorig;
            uint32_t tspub;
        };
        uint64_t times;
    };
} __attribute__((aligned(32))) isle_frag_meta;

/* Head of an mcache. Lines follow at 256, then the application's region at app_off. All below seq[0] is published; it may lag behind. */
typedef struct {
    uint64_t magic;
    uint64_t depth;
    uint64_t app_sz;
    uint64_t seq0;
    uint64_t app_off;
    uint8_t _pad[88];
    uint64_t seq[16];
} __attribute__((aligned(128))) isle_mcache;

/* Head of a dcache. Data follow at 4096, then the application's region at app_off. */
typedef struct {
    uint64_t magic;
    uint64_t data_sz;
    uint64_t app_sz;
    uint64_t app_off;
    uint8_t _pad[4064];
} isle_dcache;

/* All fragments below seq are used up. */
typedef struct {
    uint64_t magic;
    uint64_t seq0;
    uint64_t seq;
    uint64_t _pad;
    uint8_t app[96];
} __attribute__((aligned(128))) isle_fseq;

/* ---- numbers ---- */

static inline uint64_t isle_tango_aligned(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) & ~(unit - 1);
}

/* Positive: a comes after b. */
static inline int64_t isle_seq_diff(uint64_t a, uint64_t b)
{
    return (int64_t)(a - b);
}

static inline uint64_t isle_tango_load(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void isle_tango_store(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* ---- mcache ---- */

static inline uint64_t isle_mcache_app_off(uint64_t depth)
{
    return isle_tango_aligned(sizeof(isle_mcache) + depth * sizeof(isle_frag_meta), ISLE_MCACHE_ALIGN);
}

/* Bytes of an mcache; 0 for a depth that is no power of two from 128 to 2^24, or a region of 2^31 bytes and more. */
static inline uint64_t isle_mcache_footprint(uint64_t depth, uint64_t app_sz)
{
    if (depth < ISLE_MCACHE_LEAST_DEPTH || depth > ISLE_MCACHE_MOST_DEPTH || (depth & (depth - 1)) || app_sz > INT32_MAX)
        return 0;
    return isle_mcache_app_off(depth) + isle_tango_aligned(app_sz, ISLE_MCACHE_ALIGN);
}

static inline isle_frag_meta *isle_mcache_line(isle_mcache *mcache, uint64_t depth, uint64_t seq)
{
    return (isle_frag_meta *)(mcache + 1) + (seq & (depth - 1));
}

static inline const isle_frag_meta *isle_mcache_line_const(const isle_mcache *mcache, uint64_t depth, uint64_t seq)
{
    return (const isle_frag_meta *)(mcache + 1) + (seq & (depth - 1));
}

/* Makes an mcache in `bytes` bytes at a multiple of 128. NULL for a bad depth, too little memory or a bad place. */
static inline isle_mcache *isle_mcache_new(void *memory, uint64_t bytes, uint64_t depth, uint64_t app_sz, uint64_t seq0)
{
    uint64_t needed = isle_mcache_footprint(depth, app_sz);
    if (!needed || bytes < needed || (uintptr_t)memory % ISLE_MCACHE_ALIGN)
        return NULL;
    memset(memory, 0, needed);
    isle_mcache *made = (isle_mcache *)memory;
    made->depth = depth;
    made->app_sz = app_sz;
    made->seq0 = seq0;
    made->app_off = isle_mcache_app_off(depth);
    made->seq[0] = seq0;
    for (uint64_t i = 0; i < depth; i++) {
        isle_frag_meta *line = isle_mcache_line(made, depth, seq0 + i);
        line->seq = seq0 + i - 1;
        line->ctl = ISLE_CTL_WHOLE | ISLE_CTL_ERR;
    }
    isle_tango_store(&made->magic, ISLE_MCACHE_MAGIC);
    return made;
}

/* Checks an mcache of another program in `bytes` bytes. Returns its depth, which the caller keeps; -EINVAL. */
static inline int64_t isle_mcache_check(const void *memory, uint64_t bytes)
{
    const isle_mcache *mcache = (const isle_mcache *)memory;
    if (bytes < sizeof *mcache || (uintptr_t)memory % ISLE_MCACHE_ALIGN || isle_tango_load(&mcache->magic) != ISLE_MCACHE_MAGIC)
        return -EINVAL;
    uint64_t depth = isle_tango_load(&mcache->depth), needed = isle_mcache_footprint(depth, isle_tango_load(&mcache->app_sz));
    if (!needed || bytes < needed || isle_tango_load(&mcache->app_off) != isle_mcache_app_off(depth))
        return -EINVAL;
    return (int64_t)depth;
}

/* Publishes a fragment, whose payload is in memory: seq is one more than that before. Fragment seq - depth is gone for all readers before the
 * next payload is written. */
static inline void isle_mcache_publish(isle_mcache *mcache, uint64_t depth, uint64_t seq, uint64_t sig, uint32_t chunk, uint16_t sz,
                                       uint16_t ctl, uint32_t tsorig, uint32_t tspub)
{
    isle_frag_meta *line = isle_mcache_line(mcache, depth, seq);
    __atomic_store_n(&line->seq, seq - 1, __ATOMIC_RELAXED);
    /* fields and later payloads come behind the number that takes the old fragment away */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&line->sig, sig, __ATOMIC_RELAXED);
    __atomic_store_n(&line->place, (uint64_t)chunk | (uint64_t)sz << 32 | (uint64_t)ctl << 48, __ATOMIC_RELAXED);
    __atomic_store_n(&line->times, (uint64_t)tsorig | (uint64_t)tspub << 32, __ATOMIC_RELAXED);
    isle_tango_store(&line->seq, seq);
}

/* 0: all that was read before belongs to fragment seq. Positive: overwritten; seq plus this is, or was, a published number. */
static inline int64_t isle_mcache_overrun(const isle_mcache *mcache, uint64_t depth, uint64_t seq)
{
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return isle_seq_diff(__atomic_load_n(&isle_mcache_line_const(mcache, depth, seq)->seq, __ATOMIC_RELAXED), seq);
}

/* Copies the metadata of a fragment. 0: *out is it; ask isle_mcache_overrun again when the payload was read. Negative: not yet published.
 * Positive: overwritten, as isle_mcache_overrun. */
static inline int64_t isle_mcache_read(const isle_mcache *mcache, uint64_t depth, uint64_t seq, isle_frag_meta *out)
{
    const isle_frag_meta *line = isle_mcache_line_const(mcache, depth, seq);
    int64_t ahead = isle_seq_diff(isle_tango_load(&line->seq), seq);
    if (ahead)
        return ahead;
    out->seq = seq;
    out->sig = __atomic_load_n(&line->sig, __ATOMIC_RELAXED);
    out->place = __atomic_load_n(&line->place, __ATOMIC_RELAXED);
    out->times = __atomic_load_n(&line->times, __ATOMIC_RELAXED);
    return isle_mcache_overrun(mcache, depth, seq);
}

/* Finds the number of the next fragment: from seq[0] on, behind all lines that hold their own number, also if the producer ended amid a
 * publication. -EPROTO for a line with a number of another line. */
static inline int isle_mcache_next(const isle_mcache *mcache, uint64_t depth, uint64_t *next)
{
    uint64_t seq = isle_tango_load(&mcache->seq[0]);
    /* a line counts twice at most, unless a producer runs as fast as this */
    for (uint64_t steps = 4 * depth; steps; steps--) {
        uint64_t found = isle_tango_load(&isle_mcache_line_const(mcache, depth, seq)->seq);
        int64_t ahead = isle_seq_diff(found, seq);
        if (ahead < 0)
            break;
        /* the line has its number, one of a later round, or that before one of a later round */
        uint64_t beside = (uint64_t)ahead & (depth - 1);
        if (beside && beside != depth - 1)
            return -EPROTO;
        seq = found + 1;
    }
    *next = seq;
    return 0;
}

/* ---- dcache and chunks ---- */

static inline uint64_t isle_dcache_app_off(uint64_t data_sz)
{
    return sizeof(isle_dcache) + isle_tango_aligned(data_sz, ISLE_DCACHE_ALIGN);
}

/* Bytes of a dcache; 0 for data beyond what chunks can name, or a region of 2^31 bytes and more. */
static inline uint64_t isle_dcache_footprint(uint64_t data_sz, uint64_t app_sz)
{
    if (data_sz > (uint64_t)UINT32_MAX * ISLE_CHUNK_BYTES || app_sz > INT32_MAX)
        return 0;
    return isle_dcache_app_off(data_sz) + isle_tango_aligned(app_sz, ISLE_DCACHE_ALIGN);
}

/* Bytes that a payload takes. */
static inline uint64_t isle_slot(uint64_t sz)
{
    return isle_tango_aligned(sz, ISLE_SLOT_BYTES);
}

/* Bytes of data for `depth` visible payloads and `burst` in the making; 0 for a bad mtu, depth or burst. */
static inline uint64_t isle_dcache_data_sz(uint64_t mtu, uint64_t depth, uint64_t burst)
{
    if (mtu < 1 || mtu > ISLE_MOST_MTU || !isle_mcache_footprint(depth, 0) || burst < 1 || burst > 65536)
        return 0;
    return isle_slot(mtu) * (depth + burst + 1);
}

/* Makes a dcache in `bytes` bytes at a multiple of 4096. NULL for bad sizes, too little memory or a bad place. */
static inline isle_dcache *isle_dcache_new(void *memory, uint64_t bytes, uint64_t data_sz, uint64_t app_sz)
{
    uint64_t needed = isle_dcache_footprint(data_sz, app_sz);
    if (!needed || bytes < needed || (uintptr_t)memory % ISLE_DCACHE_ALIGN)
        return NULL;
    memset(memory, 0, needed);
    isle_dcache *made = (isle_dcache *)memory;
    made->data_sz = data_sz;
    made->app_sz = app_sz;
    made->app_off = isle_dcache_app_off(data_sz);
    isle_tango_store(&made->magic, ISLE_DCACHE_MAGIC);
    return made;
}

/* Checks a dcache of another program in `bytes` bytes. Returns its data_sz, which the caller keeps; -EINVAL. */
static inline int64_t isle_dcache_check(const void *memory, uint64_t bytes)
{
    const isle_dcache *dcache = (const isle_dcache *)memory;
    if (bytes < sizeof *dcache || (uintptr_t)memory % ISLE_DCACHE_ALIGN || isle_tango_load(&dcache->magic) != ISLE_DCACHE_MAGIC)
        return -EINVAL;
    uint64_t data_sz = isle_tango_load(&dcache->data_sz);
    uint64_t needed = isle_dcache_footprint(data_sz, isle_tango_load(&dcache->app_sz));
    if (!needed || bytes < needed || isle_tango_load(&dcache->app_off) != isle_dcache_app_off(data_sz))
        return -EINVAL;
    return (int64_t)data_sz;
}

/* Places of payloads, in chunks from a base: chunk0 up to, and without, chunk1. Payloads of a ring begin in chunk0 to wmark. */
typedef struct {
    uint32_t chunk0, chunk1, wmark, mtu;
} isle_chunks;

/* Of a region `from` bytes behind the base. -EINVAL for a region without room for one payload, or beyond 32 bits. */
static inline int isle_chunks_of(uint64_t from, uint64_t bytes, uint64_t mtu, isle_chunks *out)
{
    const uint64_t most = (uint64_t)UINT32_MAX * ISLE_CHUNK_BYTES;
    if (mtu < 1 || mtu > ISLE_MOST_MTU || from % ISLE_CHUNK_BYTES || from > most || bytes > most - from || bytes < isle_slot(mtu))
        return -EINVAL;
    out->chunk0 = (uint32_t)(from / ISLE_CHUNK_BYTES);
    out->chunk1 = (uint32_t)((from + bytes) / ISLE_CHUNK_BYTES);
    out->mtu = (uint32_t)mtu;
    out->wmark = out->chunk1 - (uint32_t)(isle_slot(mtu) / ISLE_CHUNK_BYTES);
    return 0;
}

/* Whether a payload is overwritten only after its line is. */
static inline int isle_chunks_suffice(const isle_chunks *c, uint64_t depth)
{
    return (uint64_t)(c->chunk1 - c->chunk0) >= isle_slot(c->mtu) / ISLE_CHUNK_BYTES * (depth + 2) - 1;
}

/* Whether a payload, rounded up to 128 bytes, lies in the region. */
static inline int isle_chunks_contain(const isle_chunks *c, uint32_t chunk, uint16_t sz)
{
    return chunk >= c->chunk0 && chunk <= c->chunk1 && isle_slot(sz) <= (uint64_t)(c->chunk1 - chunk) * ISLE_CHUNK_BYTES;
}

/* The place behind a payload of a ring. */
static inline uint32_t isle_chunk_next(const isle_chunks *c, uint32_t chunk, uint16_t sz)
{
    uint64_t next = chunk + isle_slot(sz) / ISLE_CHUNK_BYTES;
    return next > c->wmark ? c->chunk0 : (uint32_t)next;
}

static inline void *isle_chunk_at(void *base, uint32_t chunk)
{
    return (uint8_t *)base + (uint64_t)chunk * ISLE_CHUNK_BYTES;
}

static inline const void *isle_chunk_at_const(const void *base, uint32_t chunk)
{
    return (const uint8_t *)base + (uint64_t)chunk * ISLE_CHUNK_BYTES;
}

/* ---- fseq ---- */

/* Makes an fseq in 128 bytes at a multiple of 128; NULL for a bad place. */
static inline isle_fseq *isle_fseq_new(void *memory, uint64_t seq0)
{
    if ((uintptr_t)memory % sizeof(isle_fseq))
        return NULL;
    memset(memory, 0, sizeof(isle_fseq));
    isle_fseq *made = (isle_fseq *)memory;
    made->seq0 = seq0;
    made->seq = seq0;
    isle_tango_store(&made->magic, ISLE_FSEQ_MAGIC);
    return made;
}

/* 0; -EINVAL. */
static inline int isle_fseq_check(const void *memory, uint64_t bytes)
{
    return bytes < sizeof(isle_fseq) || (uintptr_t)memory % sizeof(isle_fseq)
                   || isle_tango_load(&((const isle_fseq *)memory)->magic) != ISLE_FSEQ_MAGIC
               ? -EINVAL
               : 0;
}

static inline uint64_t isle_fseq_seq(const isle_fseq *fseq)
{
    return isle_tango_load(&fseq->seq);
}

/* Gives all fragments below seq back; reads of their payloads stay before this. */
static inline void isle_fseq_update(isle_fseq *fseq, uint64_t seq)
{
    isle_tango_store(&fseq->seq, seq);
}

/* ---- flow control ---- */

/* A reliable consumer: it may be `lag` fragments behind, the depth of the mcache at most. */
typedef struct {
    const isle_fseq *fseq;
    int64_t lag;
    uint64_t slow; /* how often it made the producer look again */
} isle_fctl_consumer;

/* Credits of a producer. It looks at its consumers below `refill`, and from then on until they give `resume`. */
typedef struct {
    isle_fctl_consumer *consumers;
    uint32_t count;
    int32_t slowest; /* who gave fewest at the last look; -1: nobody gave fewer than max */
    int64_t burst, max, resume, refill;
    int64_t available;
    int refilling;
} isle_fctl;

/* Looks at all consumers; 0 to max. A number beyond the producer's is that of a consumer that has used up all. */
static inline int64_t isle_fctl_query(isle_fctl *f, uint64_t seq)
{
    int64_t credits = f->max;
    f->slowest = -1;
    for (uint32_t i = 0; i < f->count; i++) {
        int64_t behind = isle_seq_diff(seq, isle_fseq_seq(f->consumers[i].fseq));
        int64_t given = behind < 0 ? f->consumers[i].lag : behind > f->consumers[i].lag ? 0 : f->consumers[i].lag - behind;
        if (given < credits) {
            credits = given;
            f->slowest = (int32_t)i;
        }
    }
    return credits;
}

/* Starts with what the consumers give at seq. burst: credits that the producer needs to go on. 0 for max: the largest lag; for resume: two
 * thirds of the way from burst to max; for refill: half of the way from burst to resume. -EINVAL for limits out of order. */
static inline int isle_fctl_start(isle_fctl *f, isle_fctl_consumer *consumers, uint32_t count, int64_t burst, int64_t max, int64_t resume,
                                  int64_t refill, uint64_t seq)
{
    int64_t least = INT64_MAX, largest = 0;
    if (count > 65535)
        return -EINVAL;
    for (uint32_t i = 0; i < count; i++) {
        if (consumers[i].lag < 1)
            return -EINVAL;
        least = consumers[i].lag < least ? consumers[i].lag : least;
        largest = consumers[i].lag > largest ? consumers[i].lag : largest;
    }
    if (burst < 1 || burst > least)
        return -EINVAL;
    max = max ? max : largest ? largest : least;
    if (max < burst)
        return -EINVAL;
    resume = resume ? resume : burst + 2 * ((max - burst) / 3) + 2 * ((max - burst) % 3) / 3;
    if (resume < burst || resume > max)
        return -EINVAL;
    refill = refill ? refill : burst + (resume - burst) / 2;
    if (refill < burst || refill > resume)
        return -EINVAL;
    f->consumers = consumers;
    f->count = count;
    f->burst = burst;
    f->max = max;
    f->resume = resume;
    f->refill = refill;
    f->refilling = 0;
    f->available = isle_fctl_query(f, seq);
    return 0;
}

/* Looks at the consumers if the credits are few. Returns the credits; who publishes subtracts from `available`. */
static inline int64_t isle_fctl_update(isle_fctl *f, uint64_t seq)
{
    if (f->available >= f->refill && !f->refilling)
        return f->available;
    int64_t credits = isle_fctl_query(f, seq);
    if (credits >= f->resume) {
        f->refilling = 0;
        f->available = credits;
    } else if (!f->refilling) {
        f->refilling = 1;
        f->consumers[f->slowest].slow++;
    }
    return f->available;
}

/* ---- a producer ---- */

typedef struct {
    isle_mcache *mcache;
    uint64_t depth;
    isle_chunks chunks;
    uint64_t seq;   /* of the next fragment */
    uint32_t chunk; /* of the next payload: room for the mtu */
} isle_link_writer;

/* Goes on where the last producer ended: at the next number, and behind the last published payload. depth is that of isle_mcache_check.
 * -ENOSPC: too little data for mtu and depth; -EPROTO: lines that no producer leaves. */
static inline int isle_link_writer_open(isle_link_writer *w, isle_mcache *mcache, uint64_t depth, const isle_chunks *chunks)
{
    if (!isle_chunks_suffice(chunks, depth))
        return -ENOSPC;
    w->mcache = mcache;
    w->depth = depth;
    w->chunks = *chunks;
    if (isle_mcache_next(mcache, depth, &w->seq))
        return -EPROTO;
    isle_frag_meta last;
    if (isle_mcache_read(mcache, depth, w->seq - 1, &last)) {
        if (w->seq != mcache->seq0)
            return -EPROTO;
        w->chunk = chunks->chunk0;
    } else {
        if (!isle_chunks_contain(chunks, last.chunk, last.sz))
            return -EPROTO;
        w->chunk = isle_chunk_next(chunks, last.chunk, last.sz);
    }
    isle_tango_store(&mcache->seq[0], w->seq);
    return 0;
}

/* Publishes the payload at w->chunk: sz up to the mtu. */
static inline void isle_link_writer_publish(isle_link_writer *w, uint64_t sig, uint16_t sz, uint16_t ctl, uint32_t tsorig, uint32_t tspub)
{
    isle_mcache_publish(w->mcache, w->depth, w->seq, sig, w->chunk, sz, ctl, tsorig, tspub);
    w->chunk = isle_chunk_next(&w->chunks, w->chunk, sz);
    w->seq++;
    if (w->seq % 64 == 0)
        isle_tango_store(&w->mcache->seq[0], w->seq);
}

/* Tells consumers of all that is published; before a pause, and at the end. */
static inline void isle_link_writer_settle(isle_link_writer *w)
{
    isle_tango_store(&w->mcache->seq[0], w->seq);
}

#ifdef __cplusplus
}
#endif

#endif
