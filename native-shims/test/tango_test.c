/* Links in shared memory: layouts, the protocol of both sides, resumption, flow control. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "harness.h"
#include "isle_tango.h"

enum { DEPTH = 128, MTU = 200 };

struct link {
    isle_mcache *mcache;
    isle_dcache *dcache;
    isle_chunks chunks;
    uint64_t mcache_bytes, dcache_bytes;
};

static void link_make(struct link *l, uint64_t seq0)
{
    uint64_t data = isle_dcache_data_sz(MTU, DEPTH, 1);
    l->mcache_bytes = isle_mcache_footprint(DEPTH, 0);
    l->dcache_bytes = isle_dcache_footprint(data, 0);
    l->mcache = isle_mcache_new(aligned_alloc(ISLE_MCACHE_ALIGN, l->mcache_bytes), l->mcache_bytes, DEPTH, 0, seq0);
    l->dcache = isle_dcache_new(aligned_alloc(ISLE_DCACHE_ALIGN, l->dcache_bytes), l->dcache_bytes, data, 0);
    /* chunks count from the dcache */
    isle_chunks_of(sizeof(isle_dcache), data, MTU, &l->chunks);
}

static void link_free(struct link *l)
{
    free(l->mcache);
    free(l->dcache);
}

static void sizes_are_those_of_the_format(void)
{
    CHECK_EQ(4352, isle_mcache_footprint(128, 0));
    CHECK_EQ(4480, isle_mcache_footprint(128, 1));
    CHECK_EQ(4608, isle_mcache_footprint(128, 129));
    CHECK_EQ(8448, isle_mcache_footprint(256, 0));
    CHECK_EQ(0, isle_mcache_footprint(64, 0));
    CHECK_EQ(0, isle_mcache_footprint(129, 0));
    CHECK_EQ(0, isle_mcache_footprint(128, 1ull << 31));
    CHECK_EQ(4096, isle_dcache_footprint(0, 0));
    CHECK_EQ(12288, isle_dcache_footprint(1, 1));
    CHECK_EQ(0, isle_dcache_footprint(UINT64_MAX, 0));
    CHECK_EQ(1536 * 130, isle_dcache_data_sz(1500, 128, 1));
    CHECK_EQ(0, isle_dcache_data_sz(65536, 128, 1));
    CHECK_EQ(128, sizeof(isle_fseq));
}

static void a_new_mcache_has_fresh_lines(void)
{
    struct link l;
    link_make(&l, UINT64_MAX - 5);
    CHECK_EQ(DEPTH, isle_mcache_check(l.mcache, l.mcache_bytes));
    for (uint64_t i = 0; i < DEPTH; i++) {
        uint64_t seq = UINT64_MAX - 5 + i;
        const isle_frag_meta *line = isle_mcache_line(l.mcache, DEPTH, seq);
        CHECK(line->seq == seq - 1 && line->ctl == 7 && !line->sig && !line->chunk && !line->sz && !line->times);
        isle_frag_meta got;
        CHECK(isle_mcache_read(l.mcache, DEPTH, seq, &got) < 0);
    }
    link_free(&l);
}

static void bad_heads_are_refused(void)
{
    struct link l;
    link_make(&l, 0);
    CHECK_EQ(-EINVAL, isle_mcache_check(l.mcache, l.mcache_bytes - 1));
    CHECK_EQ(-EINVAL, isle_mcache_check(l.mcache, 255));
    CHECK_EQ(-EINVAL, isle_mcache_check((uint8_t *)l.mcache + 64, l.mcache_bytes - 64));
    l.mcache->depth = 256;
    CHECK_EQ(-EINVAL, isle_mcache_check(l.mcache, l.mcache_bytes));
    l.mcache->depth = DEPTH;
    l.mcache->app_off++;
    CHECK_EQ(-EINVAL, isle_mcache_check(l.mcache, l.mcache_bytes));
    l.mcache->magic++;
    CHECK_EQ(-EINVAL, isle_mcache_check(l.mcache, l.mcache_bytes));
    CHECK_EQ(MTU / 128 * 128 + 128, isle_slot(MTU));
    CHECK_EQ((int64_t)isle_dcache_data_sz(MTU, DEPTH, 1), isle_dcache_check(l.dcache, l.dcache_bytes));
    CHECK_EQ(-EINVAL, isle_dcache_check(l.dcache, 4095));
    l.dcache->data_sz = UINT64_MAX;
    CHECK_EQ(-EINVAL, isle_dcache_check(l.dcache, l.dcache_bytes));
    link_free(&l);
}

static void publish(isle_link_writer *w, uint8_t *base, uint16_t sz)
{
    memset(isle_chunk_at(base, w->chunk), (int)w->seq, sz);
    isle_link_writer_publish(w, w->seq, sz, ISLE_CTL_WHOLE, 1, 2);
}

static void fragments_are_read_until_they_are_overwritten(void)
{
    struct link l;
    link_make(&l, UINT64_MAX);
    isle_link_writer w;
    CHECK_EQ(0, isle_link_writer_open(&w, l.mcache, DEPTH, &l.chunks));
    isle_frag_meta got;
    CHECK_EQ(-1, isle_mcache_read(l.mcache, DEPTH, w.seq, &got));
    for (int i = 0; i < 3 * DEPTH; i++) {
        uint64_t seq = w.seq;
        publish(&w, (uint8_t *)l.dcache, (uint16_t)(i % (MTU + 1)));
        CHECK_EQ(0, isle_mcache_read(l.mcache, DEPTH, seq, &got));
        CHECK(got.seq == seq && got.sig == seq && got.sz == i % (MTU + 1) && got.ctl == 3 && got.tsorig == 1 && got.tspub == 2);
        CHECK(isle_chunks_contain(&l.chunks, got.chunk, got.sz));
        if (i >= DEPTH)
            CHECK_EQ(DEPTH, isle_mcache_read(l.mcache, DEPTH, seq - DEPTH, &got));
    }
    link_free(&l);
}

/* After any end of a producer, the next one goes on at the next number and chunk. */
static void a_producer_resumes(void)
{
    for (int published = 0; published < 3 * DEPTH; published += 7)
        for (int crash = 0; crash < 3; crash++) {
            struct link l;
            link_make(&l, UINT64_MAX - 200);
            isle_link_writer w, next;
            CHECK_EQ(0, isle_link_writer_open(&w, l.mcache, DEPTH, &l.chunks));
            for (int i = 0; i < published; i++)
                publish(&w, (uint8_t *)l.dcache, MTU);
            if (crash == 0)
                isle_link_writer_settle(&w);
            if (crash == 2) /* amid a publication */
                isle_mcache_line(l.mcache, DEPTH, w.seq)->seq = w.seq - 1;
            CHECK_EQ(0, isle_link_writer_open(&next, l.mcache, DEPTH, &l.chunks));
            CHECK(next.seq == w.seq && next.chunk == w.chunk && l.mcache->seq[0] == w.seq);
            /* also where seq[0] was never told */
            l.mcache->seq[0] = UINT64_MAX - 200;
            CHECK_EQ(0, isle_link_writer_open(&next, l.mcache, DEPTH, &l.chunks));
            CHECK(next.seq == w.seq && next.chunk == w.chunk);
            link_free(&l);
        }
}

static void a_producer_refuses_lines_that_no_producer_leaves(void)
{
    struct link l;
    link_make(&l, 0);
    isle_link_writer w;
    CHECK_EQ(0, isle_link_writer_open(&w, l.mcache, DEPTH, &l.chunks));
    publish(&w, (uint8_t *)l.dcache, MTU);
    isle_mcache_line(l.mcache, DEPTH, 0)->chunk = l.chunks.chunk1;
    CHECK_EQ(-EPROTO, isle_link_writer_open(&w, l.mcache, DEPTH, &l.chunks));
    isle_mcache_line(l.mcache, DEPTH, 0)->seq = 5;
    CHECK_EQ(-EPROTO, isle_link_writer_open(&w, l.mcache, DEPTH, &l.chunks));
    isle_chunks small;
    CHECK_EQ(0, isle_chunks_of(sizeof(isle_dcache), isle_slot(MTU) * (DEPTH + 1), MTU, &small));
    CHECK_EQ(-ENOSPC, isle_link_writer_open(&w, l.mcache, DEPTH, &small));
    link_free(&l);
}

static void chunks_stay_in_their_region(void)
{
    isle_chunks c;
    CHECK_EQ(0, isle_chunks_of(4096, 1024, 200, &c));
    CHECK(c.chunk0 == 64 && c.chunk1 == 80 && c.wmark == 76);
    CHECK_EQ(66, isle_chunk_next(&c, 64, 1));
    CHECK_EQ(64, isle_chunk_next(&c, 64, 0));
    CHECK_EQ(76, isle_chunk_next(&c, 74, 128));
    CHECK_EQ(64, isle_chunk_next(&c, 76, 129));
    CHECK(isle_chunks_contain(&c, 78, 128) && !isle_chunks_contain(&c, 78, 129) && !isle_chunks_contain(&c, 63, 1));
    CHECK(!isle_chunks_contain(&c, 80, 1) && !isle_chunks_contain(&c, UINT32_MAX, 65535));
    CHECK_EQ(-EINVAL, isle_chunks_of(4096, 255, 200, &c));
    CHECK_EQ(-EINVAL, isle_chunks_of(4097, 1024, 200, &c));
    CHECK_EQ(-EINVAL, isle_chunks_of((uint64_t)UINT32_MAX * 64, 1024, 200, &c));
    CHECK_EQ(-EINVAL, isle_chunks_of(0, 1 << 20, 65536, &c));
}

static void credits_follow_the_slowest_consumer(void)
{
    isle_fseq *fseqs = aligned_alloc(128, 2 * sizeof *fseqs);
    isle_fctl_consumer consumers[2] = {{isle_fseq_new(&fseqs[0], UINT64_MAX), 128, 0}, {isle_fseq_new(&fseqs[1], UINT64_MAX), 128, 0}};
    isle_fctl f;
    CHECK_EQ(-EINVAL, isle_fctl_start(&f, consumers, 2, 129, 0, 0, 0, UINT64_MAX));
    CHECK_EQ(-EINVAL, isle_fctl_start(&f, consumers, 2, 2, 1, 0, 0, UINT64_MAX));
    CHECK_EQ(0, isle_fctl_start(&f, consumers, 2, 1, 0, 0, 0, UINT64_MAX));
    CHECK(f.available == 128 && f.max == 128 && f.resume == 85 && f.refill == 43 && f.slowest == -1);
    uint64_t seq = UINT64_MAX;
    for (int i = 0; i < 128; i++) {
        CHECK(isle_fctl_update(&f, seq) > 0);
        f.available--;
        seq++;
        isle_fseq_update(&fseqs[0], seq);
    }
    CHECK_EQ(0, isle_fctl_update(&f, seq));
    CHECK(f.slowest == 1 && consumers[1].slow == 1 && consumers[0].slow == 0);
    isle_fseq_update(&fseqs[1], seq - 44);
    CHECK_EQ(0, isle_fctl_update(&f, seq));
    isle_fseq_update(&fseqs[1], seq - 43);
    CHECK_EQ(85, isle_fctl_update(&f, seq));
    /* a consumer that is ahead, or hopelessly behind */
    isle_fseq_update(&fseqs[1], seq + 1000);
    CHECK_EQ(128, isle_fctl_query(&f, seq));
    isle_fseq_update(&fseqs[1], seq - INT64_MAX);
    CHECK_EQ(0, isle_fctl_query(&f, seq));
    free(fseqs);
}

enum { RACED = 300000 };

static void *produce(void *to)
{
    struct link *l = to;
    isle_link_writer w;
    if (isle_link_writer_open(&w, l->mcache, DEPTH, &l->chunks))
        return NULL;
    for (uint64_t i = 0; i < RACED; i++) {
        uint64_t *words = isle_chunk_at(l->dcache, w.chunk);
        for (int k = 0; k < 16; k++)
            __atomic_store_n(&words[k], w.seq, __ATOMIC_RELAXED);
        isle_link_writer_publish(&w, w.seq, 128, ISLE_CTL_WHOLE, (uint32_t)w.seq, (uint32_t)w.seq);
    }
    isle_link_writer_settle(&w);
    return l;
}

/* A consumer without flow control gets whole fragments, or notices. */
static void what_is_read_is_whole(void)
{
    struct link l;
    link_make(&l, UINT64_MAX - 1000);
    pthread_t thread;
    CHECK_EQ(0, pthread_create(&thread, NULL, produce, &l));
    uint64_t seq = UINT64_MAX - 1000, end = seq + RACED, read = 0, lost = 0, torn = 0;
    while (isle_seq_diff(end, seq) > 0) {
        isle_frag_meta got;
        int64_t ahead = isle_mcache_read(l.mcache, DEPTH, seq, &got);
        if (ahead < 0)
            continue;
        if (ahead == 0) {
            int whole = got.sig == seq && got.tsorig == (uint32_t)seq && got.tspub == (uint32_t)seq && isle_chunks_contain(&l.chunks, got.chunk, got.sz);
            const uint64_t *words = isle_chunk_at_const(l.dcache, got.chunk);
            for (int k = 0; whole && k < 16; k++)
                whole = __atomic_load_n(&words[k], __ATOMIC_RELAXED) == seq;
            ahead = isle_mcache_overrun(l.mcache, DEPTH, seq);
            if (ahead == 0) {
                torn += !whole;
                read++;
                seq++;
                continue;
            }
        }
        lost += (uint64_t)ahead;
        seq += (uint64_t)ahead;
    }
    pthread_join(thread, NULL);
    CHECK_EQ(0, torn);
    CHECK(read > 0);
    CHECK_EQ(RACED, read + lost);
    link_free(&l);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(sizes_are_those_of_the_format),
        TEST(a_new_mcache_has_fresh_lines),
        TEST(bad_heads_are_refused),
        TEST(fragments_are_read_until_they_are_overwritten),
        TEST(a_producer_resumes),
        TEST(a_producer_refuses_lines_that_no_producer_leaves),
        TEST(chunks_stay_in_their_region),
        TEST(credits_follow_the_slowest_consumer),
        TEST(what_is_read_is_whole),
    };
    return run_tests("tango", tests, sizeof tests / sizeof *tests, argc, argv);
}
