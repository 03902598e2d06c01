/* isle_net.h against answers that are wrong in each field, and frames anywhere. */
#define _GNU_SOURCE
#include "isle_net.h"

#include "harness.h"

enum { DEPTH = 128, MTU = 200, FRAME = 2048, FRAMES = DEPTH + 1, TILES = 2, FDS = 2 + 3 * TILES };

/* The files of a net, as an owner makes them. */
struct net {
    int fds[FDS];
    uint8_t *rx[TILES], *umem[TILES], *tx, *progress;
    uint64_t rx_bytes, umem_bytes, tx_bytes, progress_bytes, dcache;
    isle_net_answer answer;
};

static uint8_t *file(int *fd, uint64_t bytes)
{
    *fd = memfd_create("net-test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*fd < 0 || ftruncate(*fd, (off_t)bytes) || fcntl(*fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) < 0)
        return NULL;
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
}

static void net_make(struct net *n)
{
    uint64_t data = isle_dcache_data_sz(MTU, DEPTH, 1);
    memset(n, 0, sizeof *n);
    n->rx_bytes = isle_mcache_footprint(DEPTH, 0);
    n->umem_bytes = (uint64_t)FRAME * FRAMES;
    n->dcache = isle_tango_aligned(n->rx_bytes, ISLE_DCACHE_ALIGN);
    n->tx_bytes = n->dcache + isle_dcache_footprint(data, 0);
    n->progress_bytes = TILES * sizeof(isle_fseq);
    n->tx = file(&n->fds[0], n->tx_bytes);
    n->progress = file(&n->fds[1], n->progress_bytes);
    isle_mcache_new(n->tx, n->rx_bytes, DEPTH, 0, 0);
    isle_dcache_new(n->tx + n->dcache, n->tx_bytes - n->dcache, data, 0);
    isle_net_reply *r = &n->answer.head;
    *r = (isle_net_reply){.magic = ISLE_NET_MAGIC, .version = ISLE_NET_VERSION, .bytes = sizeof *r, .tiles = TILES, .app = 1, .instance = 2};
    r->mtu = MTU;
    r->port_count = 1;
    r->ports[0] = 9000;
    r->tx_depth = DEPTH;
    r->tx_bytes = n->tx_bytes;
    r->tx_dcache = n->dcache;
    r->progress_bytes = n->progress_bytes;
    for (int i = 0; i < TILES; i++) {
        n->rx[i] = file(&n->fds[2 + 3 * i], n->rx_bytes);
        n->umem[i] = file(&n->fds[3 + 3 * i], n->umem_bytes);
        n->fds[4 + 3 * i] = dup(0);
        isle_mcache_new(n->rx[i], n->rx_bytes, DEPTH, 0, 0);
        isle_fseq_new(n->progress + i * sizeof(isle_fseq), 0);
        n->answer.rx[i] = (isle_net_rx){n->rx_bytes, 0, n->umem_bytes, 0, n->umem_bytes, 0, DEPTH, FRAME};
    }
}

static void net_free(struct net *n)
{
    munmap(n->tx, n->tx_bytes);
    munmap(n->progress, n->progress_bytes);
    for (int i = 0; i < TILES; i++) {
        munmap(n->rx[i], n->rx_bytes);
        munmap(n->umem[i], n->umem_bytes);
    }
    for (int i = 0; i < FDS; i++)
        close(n->fds[i]);
}

/* As isle_net_attach does with an answer. */
static const char *opened(struct net *n, isle_net *app)
{
    int fds[ISLE_NET_MOST_FDS];
    memset(app, 0, sizeof *app);
    app->socket = -1;
    for (uint32_t i = 0; i < ISLE_NET_MOST_TILES; i++)
        app->tile[i].bell = -1;
    uint32_t tiles = n->answer.head.tiles;
    const char *wrong = isle_net_form(&n->answer, (int64_t)(sizeof n->answer.head + tiles * sizeof(isle_net_rx)), FDS);
    if (wrong)
        return wrong;
    for (int i = 0; i < FDS; i++)
        fds[i] = dup(n->fds[i]);
    wrong = isle_net_open(app, &n->answer, fds);
    for (int i = 0; i < FDS; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    return wrong;
}

static int is_refused(struct net *n)
{
    isle_net app;
    const char *wrong = opened(n, &app);
    isle_net_detach(&app);
    return wrong != NULL && *wrong;
}

static void a_right_answer_opens(void)
{
    struct net n;
    isle_net app;
    net_make(&n);
    CHECK(opened(&n, &app) == NULL);
    CHECK(app.tiles == TILES && app.app == 1 && app.instance == 2 && app.mtu == MTU && app.port_count == 1 && app.ports[0] == 9000);
    isle_net_detach(&app);
    net_free(&n);
}

#define REFUSED(field, wrong_value)              \
    do {                                         \
        isle_net_answer right = n.answer;        \
        n.answer.field = (wrong_value);          \
        CHECK(is_refused(&n));                   \
        n.answer = right;                        \
    } while (0)

static void each_wrong_field_is_refused(void)
{
    struct net n;
    net_make(&n);
    REFUSED(head.magic, 0);
    REFUSED(head.version, 2);
    REFUSED(head.bytes, 255);
    REFUSED(head.tiles, 0);
    REFUSED(head.tiles, 1);
    REFUSED(head.tiles, 3);
    REFUSED(head.tiles, 17);
    REFUSED(head.tiles, UINT32_MAX);
    REFUSED(head.port_count, 17);
    REFUSED(head.mtu, 0);
    REFUSED(head.mtu, 257);
    REFUSED(head.mtu, UINT32_MAX);
    REFUSED(head.tx_depth, 256);
    REFUSED(head.tx_bytes, n.tx_bytes - 1);
    REFUSED(head.tx_bytes, n.tx_bytes + 4096);
    REFUSED(head.tx_bytes, 0);
    REFUSED(head.tx_mcache, 64);
    REFUSED(head.tx_mcache, 128);
    REFUSED(head.tx_mcache, n.tx_bytes + 128);
    REFUSED(head.tx_mcache, UINT64_MAX - 127);
    REFUSED(head.tx_dcache, 128);
    REFUSED(head.tx_dcache, 0);
    REFUSED(head.tx_dcache, n.dcache + 4096);
    REFUSED(head.tx_dcache, UINT64_MAX - 4095);
    REFUSED(head.progress_bytes, sizeof(isle_fseq));
    REFUSED(head.progress_bytes, 0);
    REFUSED(rx[0].mcache_bytes, n.rx_bytes + 1);
    REFUSED(rx[1].mcache_bytes, UINT64_MAX);
    REFUSED(rx[0].mcache, 1);
    REFUSED(rx[1].mcache, 128);
    REFUSED(rx[0].mcache, UINT64_MAX - 127);
    REFUSED(rx[0].depth, 256);
    REFUSED(rx[1].depth, 0);
    REFUSED(rx[0].umem_bytes, n.umem_bytes - 1);
    REFUSED(rx[0].umem, 1);
    REFUSED(rx[0].umem, 64);
    REFUSED(rx[0].umem, UINT64_MAX - 63);
    REFUSED(rx[1].umem_size, n.umem_bytes + 1);
    REFUSED(rx[1].umem_size, UINT64_MAX);
    CHECK(!is_refused(&n));
    net_free(&n);
}

/* Such a file could shrink under the app. */
static void a_file_whose_size_can_change_is_refused(void)
{
    struct net n;
    net_make(&n);
    for (int i = 0; i < 4; i++) {
        int sealed = n.fds[i], loose = memfd_create("net-test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        uint64_t bytes = i == 0 ? n.tx_bytes : i == 1 ? n.progress_bytes : i == 2 ? n.rx_bytes : n.umem_bytes;
        CHECK_EQ(0, ftruncate(loose, (off_t)bytes));
        n.fds[i] = loose;
        CHECK(is_refused(&n));
        close(loose);
        n.fds[i] = sealed;
    }
    net_free(&n);
}

static void answers_of_any_bytes_do_no_harm(void)
{
    struct net n;
    uint64_t state = 7, opens = 0;
    net_make(&n);
    for (int round = 0; round < 3000; round++) {
        isle_net_answer right = n.answer;
        uint8_t *bytes = (uint8_t *)&n.answer;
        for (uint64_t flips = 1 + test_random(&state) % 3; flips; flips--)
            bytes[test_random(&state) % (sizeof n.answer.head + TILES * sizeof(isle_net_rx))] ^= (uint8_t)(1u << test_random(&state) % 8);
        isle_net app;
        isle_net_frame frame;
        if (!opened(&n, &app)) {
            opens++;
            CHECK(!isle_net_next(&app, &frame));
            void *at = isle_net_claim(&app, 60);
            if (at)
                memset(at, 1, 60);
        }
        isle_net_detach(&app);
        n.answer = right;
    }
    /* flips in the reason, the ports and other fields without a check */
    CHECK(opens > 100);
    net_free(&n);
}

static void frames_of_any_place_are_within_their_memory(void)
{
    struct net n;
    isle_net app;
    isle_net_frame frame;
    uint64_t state = 9, seen = 0, invalid = 0;
    net_make(&n);
    CHECK(opened(&n, &app) == NULL);
    for (uint64_t seq = 0; seq < 100000; seq++) {
        uint64_t random = test_random(&state);
        uint32_t chunk = (uint32_t)(random & 1 ? random >> 32 : (random >> 32) % (n.umem_bytes / 64 + 2));
        uint16_t size = (uint16_t)(random & 2 ? random >> 8 : (random >> 8) % FRAME), ctl = (uint16_t)(random >> 16);
        uint64_t offset = (uint64_t)chunk * 64 + (ctl & 63);
        int within = size >= 14 && offset + size <= n.umem_bytes;
        isle_mcache_publish((isle_mcache *)n.rx[0], DEPTH, seq, random, chunk, size, ctl, 0, 0);
        CHECK_EQ(within, isle_net_next(&app, &frame));
        if (within) {
            CHECK(frame.data == app.tile[0].frames + offset && frame.bytes == size && frame.sig == random && isle_net_valid(&app, &frame));
            seen++;
        } else {
            invalid++;
        }
        /* the next look begins with tile 0 again */
        app.turn = 0;
    }
    CHECK(seen == app.received && invalid == app.invalid && seen > 1000 && invalid > 1000);
    isle_net_detach(&app);
    net_free(&n);
}

static void replaced_frames_are_lost_or_not_valid(void)
{
    struct net n;
    isle_net app;
    isle_net_frame frame;
    uint8_t into[FRAME];
    uint64_t sig;
    net_make(&n);
    CHECK(opened(&n, &app) == NULL);
    isle_mcache *rx = (isle_mcache *)n.rx[0];
    for (uint64_t seq = 0; seq < DEPTH + 5; seq++)
        isle_mcache_publish(rx, DEPTH, seq, seq, (uint32_t)(seq % DEPTH) * 32, 100, 0, 0, 0);
    CHECK_EQ(0, isle_net_next(&app, &frame));
    CHECK_EQ(DEPTH, app.lost);
    CHECK_EQ(100, isle_net_copy(&app, into, sizeof into, &sig));
    CHECK_EQ(DEPTH, sig);
    CHECK_EQ(-EMSGSIZE, isle_net_copy(&app, into, 99, &sig));
    CHECK_EQ(1, isle_net_next(&app, &frame));
    CHECK(isle_net_valid(&app, &frame));
    isle_mcache_publish(rx, DEPTH, frame.seq + DEPTH, 0, 0, 100, 0, 0, 0);
    CHECK(!isle_net_valid(&app, &frame));
    isle_net_detach(&app);
    net_free(&n);
}

static void frames_to_send_wait_for_the_slowest_tile(void)
{
    struct net n;
    isle_net app;
    uint64_t sent = 0;
    net_make(&n);
    CHECK(opened(&n, &app) == NULL);
    CHECK(!isle_net_claim(&app, 13) && !isle_net_claim(&app, MTU + 1));
    CHECK_EQ(-EINVAL, isle_net_publish(&app, 60, 0));
    isle_fseq *fast = (isle_fseq *)n.progress, *slow = fast + 1;
    while (isle_net_claim(&app, MTU)) {
        CHECK_EQ(-EINVAL, isle_net_publish(&app, MTU + 1, 0));
        CHECK_EQ(0, isle_net_publish(&app, MTU, sent++));
        CHECK_EQ(-EINVAL, isle_net_publish(&app, MTU, 0));
        isle_fseq_update(fast, sent);
    }
    CHECK_EQ(DEPTH, sent);
    CHECK_EQ(DEPTH, app.sent);
    isle_fseq_update(slow, 100);
    CHECK(isle_net_claim(&app, MTU) != NULL);
    isle_net_detach(&app);
    net_free(&n);
}

static void signatures_are_those_of_the_format(void)
{
    uint64_t sig = isle_net_sig(0xC6120001, 9000, 42), hash = 0x010012C6ull | 9000ull << 32;
    hash = (hash ^ hash >> 33) * 0xFF51AFD7ED558CCDull;
    hash = (hash ^ hash >> 33) * 0xC4CEB9FE1A85EC53ull;
    hash ^= hash >> 33;
    CHECK_EQ(0x010012C6u, (uint32_t)sig);
    CHECK_EQ(0, sig >> 32 & 0xFFF);
    CHECK_EQ(hash & 0xFFFFF, sig >> 44);
    CHECK_EQ(5, isle_net_sig(0, 0, 62) >> 40 & 0xF);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(a_right_answer_opens),
        TEST(each_wrong_field_is_refused),
        TEST(a_file_whose_size_can_change_is_refused),
        TEST(answers_of_any_bytes_do_no_harm),
        TEST(frames_of_any_place_are_within_their_memory),
        TEST(replaced_frames_are_lost_or_not_valid),
        TEST(frames_to_send_wait_for_the_slowest_tile),
        TEST(signatures_are_those_of_the_format),
    };
    return run_tests("net", tests, sizeof tests / sizeof *tests, argc, argv);
}
