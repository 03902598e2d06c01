/* Nets give the answers of plain loops, on every unit, and touch nothing outside of the net and the run. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../infer/infer.h"
#include "harness.h"

#define ROOM (1u << 20)
#define MOST_LAYERS 4
/* A net as plain arrays. */
struct plain {
    uint32_t layers, width[MOST_LAYERS + 1];
    int32_t offset[INFER_MOST], shift[INFER_MOST];
    struct {
        int32_t bias[INFER_MOST], multiplier, shift, activation;
        int8_t table[256], weights[INFER_MOST][INFER_MOST]; /* by neuron, then input */
    } layer[MOST_LAYERS];
};

/* Memory that ends at a page which faults, and begins behind one. */
struct fenced {
    uint8_t *pages;
    size_t size;
};

static struct fenced fenced_new(size_t room)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (room + page - 1) / page * page + 2 * page;
    uint8_t *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages, page, PROT_NONE) || mprotect(pages + size - page, page, PROT_NONE))
        abort();
    return (struct fenced){pages, size};
}

/* The last `bytes` in front of the page behind. */
static void *fenced_end(struct fenced f, size_t bytes)
{
    return f.pages + f.size - (size_t)sysconf(_SC_PAGESIZE) - bytes;
}

static uint32_t up(uint32_t value, uint32_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static void put32(uint8_t **to, int32_t value)
{
    memcpy(*to, &value, sizeof value);
    *to += sizeof value;
}

static void pack_layer(uint8_t **to, const struct plain *p, uint32_t l)
{
    uint32_t inputs = p->width[l], neurons = p->width[l + 1];
    uint32_t groups = up(inputs, INFER_PAIR) / INFER_PAIR, blocks = up(neurons, INFER_LANES) / INFER_LANES;
    put32(to, (int32_t)groups);
    put32(to, (int32_t)blocks);
    put32(to, p->layer[l].multiplier);
    put32(to, p->layer[l].shift);
    put32(to, p->layer[l].activation);
    for (uint32_t n = 0; n < blocks * INFER_LANES; n++) {
        int32_t bias = n < neurons ? p->layer[l].bias[n] : 0;
        for (uint32_t i = 0; n < neurons && i < inputs; i++)
            bias -= 128 * p->layer[l].weights[n][i];
        put32(to, bias);
    }
    if (p->layer[l].activation == INFER_TABLE) {
        memcpy(*to, p->layer[l].table, 256);
        *to += 256;
    }
    for (uint32_t tile = 0; tile < blocks; tile += INFER_TILE)
        for (uint32_t g = 0; g < groups; g++)
            for (uint32_t b = tile; b < blocks && b < tile + INFER_TILE; b++)
                for (uint32_t n = b * INFER_LANES; n < (b + 1) * INFER_LANES; n++)
                    for (uint32_t i = g * INFER_PAIR; i < (g + 1) * INFER_PAIR; i++)
                        *(*to)++ = n < neurons && i < inputs ? (uint8_t)p->layer[l].weights[n][i] : 0;
}

/* Bytes of the packed net. */
static size_t pack(uint8_t *room, const struct plain *p)
{
    uint8_t *to = room;
    uint32_t rounded = up(p->width[0], INFER_LANES);
    put32(&to, (int32_t)p->layers);
    put32(&to, (int32_t)rounded);
    for (uint32_t i = 0; i < rounded; i++)
        put32(&to, i < p->width[0] ? p->offset[i] : 0);
    for (uint32_t i = 0; i < rounded; i++)
        put32(&to, i < p->width[0] ? p->shift[i] : 0);
    for (uint32_t l = 0; l < p->layers; l++)
        pack_layer(&to, p, l);
    return (size_t)(to - room);
}

static void expected(const struct plain *p, const int32_t *input, int32_t *out)
{
    int64_t in[INFER_MOST], next[INFER_MOST];
    for (uint32_t i = 0; i < p->width[0]; i++)
        in[i] = infer_i8(((int64_t)input[i] - p->offset[i]) >> p->shift[i]);
    for (uint32_t l = 0; l < p->layers; l++) {
        for (uint32_t n = 0; n < p->width[l + 1]; n++) {
            int64_t sum = p->layer[l].bias[n];
            for (uint32_t i = 0; i < p->width[l]; i++)
                sum += in[i] * p->layer[l].weights[n][i];
            int64_t half = p->layer[l].shift ? INT64_C(1) << (p->layer[l].shift - 1) : 0;
            int64_t value = (sum * p->layer[l].multiplier + half) >> p->layer[l].shift;
            if (p->layer[l].activation == INFER_RELU && value < 0)
                value = 0;
            if (p->layer[l].activation == INFER_TABLE)
                value = p->layer[l].table[infer_i8(value) + 128];
            next[n] = l + 1 < p->layers ? infer_i8(value) : value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value;
        }
        memcpy(in, next, sizeof in);
    }
    for (uint32_t n = 0; n < p->width[p->layers]; n++)
        out[n] = (int32_t)in[n];
}

static uint32_t below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)(test_random(state) % limit);
}

static int32_t word(uint64_t *state)
{
    switch (below(state, 6)) {
    case 0: return INT32_MIN;
    case 1: return INT32_MAX;
    default: return (int32_t)test_random(state) >> below(state, 32);
    }
}

static void random_net(struct plain *p, uint64_t *state)
{
    p->layers = 1 + below(state, MOST_LAYERS);
    for (uint32_t l = 0; l <= p->layers; l++)
        p->width[l] = 1 + below(state, l == p->layers ? 64 : below(state, 4) ? INFER_MOST : 20);
    for (uint32_t i = 0; i < p->width[0]; i++) {
        p->offset[i] = word(state);
        p->shift[i] = (int32_t)below(state, 32);
    }
    for (uint32_t l = 0; l < p->layers; l++) {
        p->layer[l].multiplier = word(state) & INT32_MAX;
        p->layer[l].shift = (int32_t)below(state, 63);
        p->layer[l].activation = (int32_t)below(state, 3);
        for (uint32_t i = 0; i < 256; i++)
            p->layer[l].table[i] = (int8_t)test_random(state);
        for (uint32_t n = 0; n < p->width[l + 1]; n++) {
            int64_t room = INT32_MAX;
            for (uint32_t i = 0; i < p->width[l]; i++) {
                p->layer[l].weights[n][i] = (int8_t)(below(state, 3) ? (int32_t)test_random(state) : -128);
                room -= 128 * abs(p->layer[l].weights[n][i]);
            }
            int32_t bias = word(state);
            p->layer[l].bias[n] = (int32_t)(bias > room ? room : bias < -room ? -room : bias);
        }
    }
}

static infer_function *unit(int i)
{
    return i == 0 ? isle_infer_select(INFER_PORTABLE) : i == 1 ? isle_infer_select(INFER_AVX512) : NULL;
}

static void selected_is_there(void)
{
    CHECK(isle_infer_select(INFER_PORTABLE));
    infer_function *best = isle_infer_select(INFER_AUTO);
    CHECK(best == (isle_infer_select(INFER_AVX512) ? isle_infer_select(INFER_AVX512) : isle_infer_select(INFER_PORTABLE)));
    CHECK(!isle_infer_select(99));
}

/* Asks for a yield in the first calls, one for each bit of `yields`. */
static int run(infer_function *f, const struct infer_net *net, struct infer_run *r, uint32_t yields, uint32_t *left)
{
    int result;
    for (*left = 0;; yields >>= 1) {
        r->yield = yields & 1;
        result = f(net, r);
        if (result != INFER_YIELDED)
            return result;
        ++*left;
    }
}

static void check_net(uint64_t *state, struct fenced net_pages, struct fenced run_pages)
{
    static struct plain p;
    static uint8_t room[ROOM];
    random_net(&p, state);
    size_t bytes = pack(room, &p);
    CHECK(bytes <= ROOM);
    void *net = fenced_end(net_pages, bytes);
    memcpy(net, room, bytes);
    struct infer_run *r = fenced_end(run_pages, sizeof *r);
    for (int u = 0; unit(u); u++)
        for (uint32_t turn = 0, yields = 0; yields < 1u << (p.layers - 1); yields = ++turn & 1 ? yields : yields << 1 | 1) {
            int32_t input[INFER_MOST], want[INFER_MOST];
            memset(r, 0x5a, sizeof *r);
            r->layer = 0;
            r->backwards = turn & 1;
            for (uint32_t i = 0; i < p.width[0]; i++)
                r->input[i] = input[i] = word(state);
            expected(&p, input, want);
            uint32_t left;
            CHECK_EQ(INFER_DONE, run(unit(u), net, r, yields, &left));
            CHECK_EQ(yields, (1u << left) - 1);
            CHECK_EQ(0, r->layer);
            for (uint32_t n = 0; n < p.width[p.layers]; n++)
                CHECK_EQ(want[n], r->output[n]);
        }
    CHECK(!memcmp(net, room, bytes));
}

static void nets_equal_plain_loops(void)
{
    struct fenced net_pages = fenced_new(ROOM), run_pages = fenced_new(sizeof(struct infer_run));
    uint64_t state = 22;
    for (int i = 0; i < 300 && !test_failures; i++)
        check_net(&state, net_pages, run_pages);
    munmap(net_pages.pages, net_pages.size);
    munmap(run_pages.pages, run_pages.size);
}

/* What is left of another net does not lead out of this one. */
static void a_layer_that_is_not_there_begins_again(void)
{
    static struct plain p;
    static uint8_t room[ROOM];
    uint64_t state = 1;
    random_net(&p, &state);
    pack(room, &p);
    static struct infer_run r;
    int32_t want[INFER_MOST];
    expected(&p, r.input, want);
    int32_t layers[] = {-1, INT32_MIN, (int32_t)p.layers, INT32_MAX};
    for (int u = 0; unit(u); u++)
        for (uint32_t i = 0; i < 4; i++) {
            r.layer = layers[i];
            CHECK_EQ(INFER_DONE, unit(u)((const struct infer_net *)room, &r));
            CHECK_EQ(want[0], r.output[0]);
        }
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(selected_is_there), TEST(nets_equal_plain_loops), TEST(a_layer_that_is_not_there_begins_again)};
    return run_tests("infer", tests, sizeof tests / sizeof *tests, argc, argv);
}
