/* Displays that lie, and messages to them that do. */
#include <errno.h>
#include <stdlib.h>

#include "harness.h"

#define CONTEXT core_id(ISLE_KIND_CONTEXT, 1, 1)
#define MEMORY core_id(ISLE_KIND_MEMORY, 1, 1)
#define FRAME core_id(ISLE_KIND_FRAMEBUFFER, 1, 1)

static struct core core;
static uint8_t *heap;

static int begin(const char *variant)
{
    setenv("ISLE_TEST_DRIVER", variant, 1);
    core_make(&core);
    int rc = core_load(&core, "libtestdriver.so");
    rc = rc ? rc : core_open(&core, NULL);
    rc = rc ? rc : core_heap(&core, 16, TEST_HEAP, &heap);
    rc = rc ? rc : core_context(&core, CONTEXT, 16, NULL);
    return rc ? rc : core_alloc(&core, CONTEXT, MEMORY, 4096, 0, NULL);
}

static void end(void)
{
    core_unload(&core);
    core_free(&core);
}

static int ask(uint32_t op, uint32_t connector)
{
    return core_call(&core, op, &connector, sizeof connector);
}

static int frame(uint64_t memory, uint64_t id, uint32_t width, uint32_t height, uint32_t format)
{
    isle_framebuffer_request q = {.memory = memory, .framebuffer = id, .width = width, .height = height, .format = format};
    return core_call(&core, ISLE_OP_CREATE_FRAMEBUFFER, &q, sizeof q);
}

static int flip(uint64_t id)
{
    isle_flip_request q = {.framebuffer = id, .connector = 7};
    return core_call(&core, ISLE_OP_PAGE_FLIP, &q, sizeof q);
}

static int read_lines(uint32_t first, uint32_t count)
{
    isle_scanout_request q = {.connector = 7, .first_line = first, .line_count = count};
    return core_call(&core, ISLE_OP_SCANOUT_READ, &q, sizeof q);
}

static int connectors(void)
{
    return core_call(&core, ISLE_OP_CONNECTORS, NULL, 0);
}

static void honest_answers_pass(void)
{
    static const uint8_t zero[7];
    AccelConnectorInfo all[2];
    AccelDisplayMode mode;
    isle_mode_request set = {.connector = 7};
    CHECK_EQ(0, begin("display"));
    CHECK_EQ(0, connectors());
    CHECK_EQ(sizeof all, core_body_length(&core));
    memcpy(all, core_body(&core), sizeof all);
    CHECK(all[0].connector_id == 7 && all[1].connector_id == 8 && !memcmp(all[0]._pad, zero, sizeof all[0]._pad));
    CHECK_EQ(0, ask(ISLE_OP_MODES, 7));
    CHECK_EQ(sizeof mode, core_body_length(&core));
    memcpy(&mode, core_body(&core), sizeof mode);
    CHECK(!memcmp(mode._pad, zero, sizeof mode._pad));
    set.mode = mode;
    memset(set.mode._pad, 0x55, sizeof set.mode._pad);
    CHECK_EQ(0, core_call(&core, ISLE_OP_SET_MODE, &set, sizeof set));
    CHECK_EQ(-ENOENT, ask(ISLE_OP_MODES, 9));
    CHECK_EQ(0, ask(ISLE_OP_HOTPLUG_STATUS, 7));
    CHECK(core_body_length(&core) == 4 && *(const uint32_t *)core_body(&core) == 1);
    CHECK_EQ(0, ask(ISLE_OP_EDID, 7));
    CHECK_EQ(ISLE_EDID_MAX, core_body_length(&core));
    CHECK_EQ(0, frame(MEMORY, FRAME, 64, 4, ISLE_FORMAT_XRGB8888));
    CHECK_EQ(0, flip(FRAME));
    CHECK_EQ(0, flip(FRAME));
    CHECK_EQ(0, read_lines(1, 99));
    CHECK_EQ(sizeof(isle_scanout_part) + 3 * 64 * 4, core_body_length(&core));
    CHECK_EQ(0, ask(ISLE_OP_SCANOUT_STATUS, 7));
    end();
}

/* What a variant answers to one question; the device stays usable. */
static int answer(const char *variant, uint32_t op)
{
    int rc = begin(variant);
    if (rc)
        return rc;
    switch (op) {
    case ISLE_OP_CONNECTORS:
        rc = connectors();
        break;
    case ISLE_OP_CREATE_FRAMEBUFFER:
        rc = frame(MEMORY, FRAME, 64, 4, ISLE_FORMAT_XRGB8888);
        break;
    case ISLE_OP_PAGE_FLIP:
        rc = frame(MEMORY, FRAME, 64, 4, ISLE_FORMAT_XRGB8888);
        rc = rc ? rc : flip(FRAME);
        rc = rc ? rc : flip(FRAME);
        break;
    case ISLE_OP_SCANOUT_READ:
        rc = read_lines(0, 4);
        break;
    default:
        rc = ask(op, 7);
    }
    int info = core_call(&core, ISLE_OP_INFO, NULL, 0);
    end();
    return info ? info : rc;
}

static void lies_are_refused(void)
{
    static const struct {
        const char *variant;
        uint32_t op;
    } lies[] = {{"display-connector-count", ISLE_OP_CONNECTORS}, {"display-same-id", ISLE_OP_CONNECTORS},
                {"display-type", ISLE_OP_CONNECTORS},            {"display-size", ISLE_OP_CONNECTORS},
                {"display-flag", ISLE_OP_CONNECTORS},            {"display-mode", ISLE_OP_MODES},
                {"display-rate", ISLE_OP_MODES},                 {"display-mode-count", ISLE_OP_MODES},
                {"display-handle", ISLE_OP_CREATE_FRAMEBUFFER},  {"display-point", ISLE_OP_PAGE_FLIP},
                {"display-fence", ISLE_OP_PAGE_FLIP},            {"display-edid", ISLE_OP_EDID},
                {"display-edid-size", ISLE_OP_EDID},             {"display-dpms", ISLE_OP_SCANOUT_STATUS},
                {"display-range", ISLE_OP_SCANOUT_STATUS},       {"display-status-mode", ISLE_OP_SCANOUT_STATUS},
                {"display-lines", ISLE_OP_SCANOUT_READ},         {"display-no-lines", ISLE_OP_SCANOUT_READ}};
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++)
        CHECK_EQ(-EPROTO, answer(lies[i].variant, lies[i].op));
    CHECK_EQ(0, answer("display-many-connectors", ISLE_OP_CONNECTORS));
    CHECK_EQ(IO_NOT_SUPPORTED, answer("completes", ISLE_OP_CONNECTORS));
    CHECK_EQ(IO_NOT_SUPPORTED, answer("completes", ISLE_OP_SCANOUT_READ));
}

static void framebuffers_are_checked_against_their_memory(void)
{
    CHECK_EQ(0, begin("display"));
    CHECK_EQ(-EINVAL, frame(CONTEXT, FRAME, 1, 1, ISLE_FORMAT_XRGB8888));
    CHECK_EQ(-ESTALE, frame(MEMORY + 1, FRAME, 1, 1, ISLE_FORMAT_XRGB8888));
    CHECK_EQ(-EINVAL, frame(MEMORY, MEMORY, 1, 1, ISLE_FORMAT_XRGB8888));
    CHECK_EQ(-EINVAL, frame(MEMORY, FRAME, 0, 1, ISLE_FORMAT_XRGB8888));
    CHECK_EQ(-EINVAL, frame(MEMORY, FRAME, 1025, 1, ISLE_FORMAT_XRGB8888));
    CHECK_EQ(-EINVAL, frame(MEMORY, FRAME, 16384, 16384, ISLE_FORMAT_XRGB8888));
    CHECK_EQ(-EINVAL, frame(MEMORY, FRAME, UINT32_MAX, UINT32_MAX, ISLE_FORMAT_RGB565));
    CHECK_EQ(-EINVAL, frame(MEMORY, FRAME, 2049, 1, ISLE_FORMAT_RGB565));
    CHECK_EQ(-EINVAL, frame(MEMORY, FRAME, 4097, 1, 0));
    CHECK_EQ(0, frame(MEMORY, FRAME, 1024, 1, ISLE_FORMAT_XRGB8888));
    CHECK_EQ(-EEXIST, frame(MEMORY, FRAME, 1, 1, ISLE_FORMAT_XRGB8888));
    CHECK_EQ(-ESTALE, flip(FRAME + 1));
    CHECK_EQ(-EINVAL, flip(MEMORY));
    CHECK_EQ(0, core_call(&core, ISLE_OP_FREE, (uint64_t[]){MEMORY}, 8));
    CHECK_EQ(-ESTALE, flip(FRAME));
    CHECK_EQ(0, core_alloc(&core, CONTEXT, MEMORY, 4096, 0, NULL));
    CHECK_EQ(0, frame(MEMORY, FRAME, 64, 4, ISLE_FORMAT_XRGB8888));
    CHECK_EQ(0, core_call(&core, ISLE_OP_DESTROY_CONTEXT, (uint64_t[]){CONTEXT}, 8));
    CHECK_EQ(-ESTALE, flip(FRAME));
    end();
}

static void bad_arguments_do_not_reach_the_driver(void)
{
    isle_connector_value v = {.connector = 7, .value = 4};
    isle_mode_request m = {.connector = 7};
    isle_cursor_request k = {.connector = 7};
    CHECK_EQ(0, begin("display"));
    CHECK_EQ(-EINVAL, core_call(&core, ISLE_OP_SET_DPMS, &v, sizeof v));
    v.value = 3;
    CHECK_EQ(0, core_call(&core, ISLE_OP_SET_DPMS, &v, sizeof v));
    CHECK_EQ(IO_NOT_SUPPORTED, core_call(&core, ISLE_OP_SET_VRR, &v, sizeof v)); /* it ends before these entries */
    CHECK_EQ(IO_NOT_SUPPORTED, core_call(&core, ISLE_OP_SET_CURSOR, &k, sizeof k));
    CHECK_EQ(-EINVAL, core_call(&core, ISLE_OP_SET_MODE, &m, sizeof m));
    CHECK_EQ(-EINVAL, read_lines(4, 1));
    CHECK_EQ(-EINVAL, read_lines(UINT32_MAX, UINT32_MAX));
    CHECK_EQ(-EINVAL, read_lines(0, 0));
    end();
}

/* Against the display in software: whatever comes, it answers, and no connector ends up with a mode that its screen lacks. */
static void random_messages_break_nothing(void)
{
    static const uint32_t sizes[] = {0, 4, sizeof(isle_mode_request), sizeof(isle_framebuffer_request), sizeof(isle_flip_request),
                                     sizeof(isle_connector_value), 4, 4, sizeof(isle_cursor_request) + 8 * 8 * 4,
                                     sizeof(isle_connector_value), 4, sizeof(isle_scanout_request)};
    static const uint64_t nasty[] = {0, 1, 2, 3, 8, 60000, 640ull << 32 | 1, 480, UINT32_MAX, UINT64_MAX, 1ull << 63, MEMORY, FRAME,
                                     8ull << 32 | 1, 8ull << 32 | 8, ISLE_FORMAT_XRGB8888, 4ull << 32 | 2};
    static uint8_t body[1024];
    core_make(&core);
    CHECK_EQ(0, core_load(&core, "libtestdisplay.so"));
    CHECK_EQ(0, core_open(&core, NULL));
    CHECK_EQ(0, core_heap(&core, 16, TEST_HEAP, &heap));
    CHECK_EQ(0, core_context(&core, CONTEXT, 16, NULL));
    CHECK_EQ(0, core_alloc(&core, CONTEXT, MEMORY, 640 * 480 * 4, 0, NULL));
    CHECK_EQ(0, ask(ISLE_OP_MODES, 2));
    isle_mode_request set = {.connector = 2};
    memcpy(&set.mode, (const uint8_t *)core_body(&core) + 5 * sizeof set.mode, sizeof set.mode);
    CHECK(set.mode.width == 640);
    CHECK_EQ(0, core_call(&core, ISLE_OP_SET_MODE, &set, sizeof set));
    CHECK_EQ(0, frame(MEMORY, FRAME, 640, 480, ISLE_FORMAT_XRGB8888));
    uint64_t state = 7;
    for (uint32_t i = 0; i < 30000; i++) {
        uint32_t op = (uint32_t)(test_random(&state) % 12);
        for (uint32_t k = 0; k < sizes[op]; k += 8) {
            uint64_t r = test_random(&state), v = r % 4 ? nasty[r / 4 % (sizeof nasty / sizeof nasty[0])] : r;
            memcpy(body + k, &v, 8);
        }
        CHECK(core_call(&core, ISLE_OP_CONNECTORS + op, body, sizes[op]) <= 0);
    }
    CHECK_EQ(0, core_call(&core, ISLE_OP_SET_DPMS, &(isle_connector_value){.connector = 2}, sizeof(isle_connector_value)));
    CHECK_EQ(0, core_call(&core, ISLE_OP_SET_MODE, &set, sizeof set));
    isle_flip_request q = {.framebuffer = FRAME, .connector = 2};
    CHECK_EQ(0, core_call(&core, ISLE_OP_PAGE_FLIP, &q, sizeof q));
    end();
}

static const struct test tests[] = {
    TEST(honest_answers_pass),
    TEST(lies_are_refused),
    TEST(framebuffers_are_checked_against_their_memory),
    TEST(bad_arguments_do_not_reach_the_driver),
    TEST(random_messages_break_nothing),
};

int main(int argc, char **argv)
{
    return run_tests("displayhostile", tests, sizeof tests / sizeof tests[0], argc, argv);
}
