/* What handlers get and do. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <unistd.h>

#include "futex.h"
#include "handlers/look.h"
#include "spin_harness.h"

static struct rig rig;

static struct look look_of(uint32_t hpu)
{
    struct look l;
    memcpy(&l, rig.host + hpu * ISLE_SPIN_PAGE, sizeof l);
    return l;
}

static void a_task_has_what_the_header_says(void)
{
    uint8_t frame[100] = {1, 2, 3};
    rig_make(&rig);
    CHECK_EQ(0, rig_attach(&rig, "look.spin"));
    CHECK_EQ(7, spin_handlers(rig.context));
    for (uint32_t handler = 0; handler < 3; handler++) {
        CHECK_EQ(ISLE_SPIN_DONE, rig_run(&rig, 13, handler, 5, frame, sizeof frame));
        struct look l = look_of(13);
        CHECK_EQ(LOOK_MAGIC, l.magic);
        CHECK_EQ(handler, l.handler);
        CHECK_EQ(13, l.hpu);
        CHECK_EQ(1, l.cluster);
        CHECK_EQ(5, l.core);
        CHECK_EQ(5, l.core_by_call);
        CHECK_EQ(1, l.cluster_by_call);
        CHECK_EQ(72, l.task_bytes);
        CHECK_EQ(RIG_HANDLER, l.handler_mem_size);
        CHECK_EQ(ISLE_SPIN_PAGE, l.behind_image);
        CHECK_EQ(sizeof frame, l.packet_bytes);
        CHECK_EQ(RIG_SCRATCHPAD, l.scratchpad_size);
        CHECK_EQ(1, l.host_high);
        CHECK_EQ(0, l.host_low);
        CHECK_EQ(RIG_HOST, l.host_size);
        CHECK_EQ(1, l.home);
        CHECK_EQ(5, l.flow);
        CHECK_EQ(handler + 1, l.runs);
        CHECK_EQ(3 + handler, l.writable);
        CHECK_EQ(1, l.same_packet);
        CHECK_EQ(1, l.can_ask);
    }
    rig_free(&rig);
}

/* Each task finds its packet, and zeros behind it, whatever the one before left. */
static void l1_is_fresh(void)
{
    uint8_t frame[ISLE_SPIN_FRAME], expected[2048];
    rig_make(&rig);
    CHECK_EQ(0, rig_attach(&rig, "look.spin"));
    for (uint32_t length = ISLE_SPIN_FRAME; length; length /= 3) {
        memset(frame, (int)length | 1, length);
        memset(expected, 0, sizeof expected);
        memcpy(expected, frame, length);
        CHECK_EQ(ISLE_SPIN_DONE, rig_run(&rig, 1, ISLE_SPIN_PACKET, 0, frame, length));
        CHECK(!memcmp(expected, rig.host + ISLE_SPIN_PAGE + LOOK_L1, sizeof expected));
        CHECK_EQ(0xdd, rig.packets[2048]);
    }
    rig_free(&rig);
}

static void memory_is_the_buffers(void)
{
    uint8_t frame[64] = {0};
    uint32_t word;
    rig_make(&rig);
    word = 40;
    memcpy(rig.handler, &word, sizeof word);
    CHECK_EQ(0, rig_attach(&rig, "look.spin"));
    for (int i = 0; i < 3; i++)
        CHECK_EQ(ISLE_SPIN_DONE, rig_run(&rig, (uint32_t)i, ISLE_SPIN_PACKET, 9, frame, sizeof frame));
    memcpy(&word, rig.handler, sizeof word);
    CHECK_EQ(43, word);
    memcpy(&word, rig.scratchpads + 9 * RIG_SCRATCHPAD, sizeof word);
    CHECK_EQ(3, word);
    memcpy(&word, rig.scratchpads + (ISLE_SPIN_QUEUES + 9) * RIG_SCRATCHPAD, sizeof word);
    CHECK_EQ(6, word);
    rig_free(&rig);
}

/* The clock of handlers runs with hpu_mhz. */
static void cycles_follow_the_clock(void)
{
    uint8_t frame[64] = {0};
    rig_make(&rig);
    rig.how.limits.hpu_mhz = 1000;
    CHECK_EQ(0, rig_attach(&rig, "look.spin"));
    CHECK_EQ(ISLE_SPIN_DONE, rig_run(&rig, 0, ISLE_SPIN_PACKET, 0, frame, sizeof frame));
    uint64_t first = rig.rings->hpus[0].end.end_ns;
    uint32_t cycles = look_of(0).cycles;
    CHECK_EQ(ISLE_SPIN_DONE, rig_run(&rig, 0, ISLE_SPIN_PACKET, 0, frame, sizeof frame));
    uint64_t second = rig.rings->hpus[0].end.start_ns;
    CHECK((uint32_t)(look_of(0).cycles - cycles) >= second - first);
    rig_free(&rig);
}

static uint64_t request_of(uint32_t hpu)
{
    uint64_t request;
    do {
        usleep(100);
        request = __atomic_load_n((uint64_t *)(void *)(rig.host + hpu * ISLE_SPIN_PAGE), __ATOMIC_ACQUIRE);
    } while ((uint8_t)request == (uint8_t)rig.host_data->flags[hpu]);
    return request;
}

static void answer(uint32_t hpu, uint64_t request, uint32_t length)
{
    __atomic_store_n(&rig.host_data->flags[hpu], ISLE_SPIN_REQUEST(request, length, hpu), __ATOMIC_RELEASE);
    futex_wake_all((uint32_t *)(void *)&rig.host_data->flags[hpu]);
}

/* The host changes what it got and cuts it; more than 256 times, so that numbers of requests come again. */
static void the_host_answers(void)
{
    uint8_t frame[200], got[ISLE_SPIN_FRAME];
    rig_make(&rig);
    rig.how.limits.host_wait_ms = 10000;
    CHECK_EQ(0, rig_attach(&rig, "udp_ping_host.spin"));
    for (uint32_t i = 0; i < 300; i++) {
        memset(frame, (int)i, sizeof frame);
        rig_post(&rig, 7, ISLE_SPIN_PACKET, 0, frame, sizeof frame);
        uint64_t request = request_of(7);
        CHECK_EQ(ISLE_SPIN_REQUEST(i + 1, sizeof frame, 7), request);
        uint8_t *payload = rig.host + 7 * ISLE_SPIN_PAGE + 64;
        CHECK_EQ((uint8_t)i, payload[199]);
        payload[49] = (uint8_t)(i + 5);
        answer(7, request, 50 + i % 2);
        CHECK(rig_wait(&rig, 7));
        CHECK_EQ(ISLE_SPIN_DONE, rig.rings->hpus[7].end.result);
        CHECK_EQ(50 + i % 2, rig_sent(&rig, 7, got));
        CHECK_EQ((uint8_t)i, got[48]);
        CHECK_EQ((uint8_t)(i + 5), got[49]);
    }
    CHECK_EQ(300, rig.rings->counters.host_requests);
    rig_free(&rig);
}

static void text_is_as_printf_has_it(void)
{
    static char expected[8192];
    uint8_t frame[64] = {0};
    FILE *f = fmemopen(expected, sizeof expected, "w");
#define printf(...) fprintf(f, __VA_ARGS__)
#include "handlers/formats.inc"
#undef printf
    fputs("14|longer |\n\\t\\r\\x01\\xe9 end\n", f);
    fclose(f);
    rig_make(&rig);
    CHECK_EQ(0, rig_attach(&rig, "formats.spin"));
    CHECK_EQ(2, spin_handlers(rig.context));
    CHECK_EQ(ISLE_SPIN_DONE, rig_run(&rig, 0, ISLE_SPIN_PACKET, 0, frame, sizeof frame));
    const char *text = rig_text(&rig);
    if (strcmp(expected, text))
        printf("%s%s", expected, text);
    CHECK(!strcmp(expected, text));
    rig_free(&rig);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(a_task_has_what_the_header_says),
                                        TEST(l1_is_fresh),
                                        TEST(memory_is_the_buffers),
                                        TEST(cycles_follow_the_clock),
                                        TEST(the_host_answers),
                                        TEST(text_is_as_printf_has_it)};
    if (!rig_can("spin", sizeof tests / sizeof *tests))
        return 0;
    return run_tests("spin", tests, sizeof tests / sizeof *tests, argc, argv);
}
