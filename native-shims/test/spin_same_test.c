/* Handlers do what the same C called directly does: frames, host pages, handler memory, scratchpads. */
#include "spin_direct.h"
#include "spin_harness.h"

static struct rig rig;

/* A frame of UDP or ICMP over IPv4, sometimes cut or with lengths that lie. */
static uint32_t random_frame(uint64_t *seed, uint8_t *frame)
{
    uint64_t r = test_random(seed);
    uint32_t length = r % 4 == 0 ? 1 + (uint32_t)(r >> 8) % ISLE_SPIN_FRAME : 52 + (uint32_t)(r >> 8) % 400;
    for (uint32_t i = 0; i < length; i++)
        frame[i] = (uint8_t)test_random(seed);
    uint16_t ip = (uint16_t)(length - 14), udp = (uint16_t)(length - 34);
    if (r & 16 && length >= 52) {
        frame[12] = 8, frame[13] = 0, frame[14] = 0x45, frame[16] = (uint8_t)(ip >> 8), frame[17] = (uint8_t)ip;
        frame[23] = r & 32 ? 17 : 1;
        frame[38] = (uint8_t)(udp >> 8), frame[39] = (uint8_t)udp;
        /* an offset that mostly lies in the host's pages */
        frame[48] = 0, frame[49] = (uint8_t)(frame[49] & 3);
        /* a source that a table of small ones mostly has */
        frame[27] &= 7, frame[28] = 0, frame[29] = 0;
    }
    return length;
}

static int same_frames(struct direct *d, uint32_t hpu)
{
    uint8_t frame[ISLE_SPIN_FRAME];
    uint32_t length = 0, count = 0;
    for (uint32_t n; (n = rig_sent(&rig, hpu, frame)); count++)
        length = n;
    return count == d->sent && (!count || (length == d->length && !memcmp(frame, d->frame, length)));
}

/* A filter finds the sources of about half of the packets. */
static void table_of_a_filter(uint8_t *direct)
{
    for (uint32_t i = 0; i < 1024; i++)
        for (uint32_t source = 1;; source++)
            if ((source * 2654435761u) >> 22 == i) {
                memcpy(rig.handler + 8 * i, &source, 4);
                memcpy(rig.handler + 8 * i + 4, &i, 4);
                break;
            }
    memcpy(direct, rig.handler, RIG_HANDLER);
}

static void like_the_same_c(const char *program, uint32_t handlers, uint64_t seed, bool sends)
{
    struct direct d;
    direct_handler called[3];
    char image[32];
    uint8_t frame[ISLE_SPIN_FRAME];
    uint32_t sent = 0;
    rig_make(&rig);
    CHECK(direct_handlers(program, called));
    CHECK(direct_make(&d, RIG_HANDLER, RIG_HOST));
    snprintf(image, sizeof image, "%s.spin", program);
    CHECK_EQ(0, rig_attach(&rig, image));
    CHECK_EQ(handlers, spin_handlers(rig.context));
    if (!strcmp(program, "filter"))
        table_of_a_filter(d.handler);
    for (int round = 0; round < 1500; round++) {
        uint32_t length = random_frame(&seed, frame), queue = (uint32_t)test_random(&seed) % ISLE_SPIN_QUEUES;
        uint32_t hpu = (uint32_t)test_random(&seed) % ISLE_SPIN_HPUS;
        for (uint32_t handler = 0; handler < 3; handler++) {
            if (!(handlers & 1u << handler))
                continue;
            CHECK_EQ(ISLE_SPIN_DONE, rig_run(&rig, hpu, handler, queue, frame, length));
            direct_packet(&d, frame, length);
            direct_run(&d, called[handler], hpu, queue);
            CHECK(same_frames(&d, hpu));
            sent += d.sent;
        }
    }
    CHECK(sends ? sent > 300 : sent == 0);
    CHECK(!memcmp(d.host, rig.host, RIG_HOST));
    CHECK(!memcmp(d.handler, rig.handler, RIG_HANDLER));
    CHECK(!memcmp(d.scratchpads, rig.scratchpads, RIG_SCRATCHPAD * ISLE_SPIN_CLUSTERS * ISLE_SPIN_QUEUES));
    direct_free(&d);
    rig_free(&rig);
}

static void udp_ping(void)
{
    like_the_same_c("udp_ping", 2, 1, true);
}

static void icmp_ping(void)
{
    like_the_same_c("icmp_ping", 2, 2, true);
}

static void messages(void)
{
    like_the_same_c("message", 7, 3, true);
}

static void histogram(void)
{
    like_the_same_c("histogram", 6, 4, false);
}

static void reduce(void)
{
    like_the_same_c("reduce", 6, 5, false);
}

static void filter(void)
{
    like_the_same_c("filter", 2, 6, true);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(udp_ping), TEST(icmp_ping), TEST(messages), TEST(histogram), TEST(reduce), TEST(filter)};
    if (!rig_can("spin_same", sizeof tests / sizeof *tests))
        return 0;
    return run_tests("spin_same", tests, sizeof tests / sizeof *tests, argc, argv);
}
