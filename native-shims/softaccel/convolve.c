/*
 * 2-D convolution by strips of rows: the lines around a row are copied with their edges repeated, so the kernels know of no edges and
 * read nothing outside. Weights are copied before they are looked at, and turned around as they are.
 */
#include "convolve.h"

#include <errno.h>
#include <string.h>

#include "loop.h"
#include "span.h"

#define BAND 64u              /* rows of a task */
#define PRODUCTS (128u << 10) /* between two looks at whether the work must leave */

struct image {
    const uint8_t *src;
    uint8_t *dst;
    uint64_t width, height, elements; /* of a row */
    uint32_t channels, side_x, side_y;
    uint32_t part, parts; /* results of a row at a time, whole vectors; how often that is */
    uint64_t strips;
    struct convolve_row row; /* without lines and count */
    union {
        int32_t pairs[CONVOLVE_WEIGHTS];
        float floats[CONVOLVE_SIDE * CONVOLVE_SIDE];
    } weights;
};

union line {
    int32_t pairs[CONVOLVE_LINE];
    float floats[CONVOLVE_LINE];
};

/* Where an element of a row is read, when there may be none of that number. */
static uint64_t inside(const struct image *m, int64_t element)
{
    if (element < 0)
        return (uint64_t)(element % (int64_t)m->channels + m->channels) % m->channels;
    return (uint64_t)element < m->elements ? (uint64_t)element : m->elements - m->channels + (uint64_t)element % m->channels;
}

/* Elements first .. first + n of a row, of which the middle is there. */
static void copy_row(const struct image *m, void *to, uint32_t bytes, uint64_t row, int64_t first, uint32_t n)
{
    const uint8_t *src = m->src + row * m->elements * bytes;
    uint8_t *out = to;
    for (uint32_t i = 0; i < n;) {
        int64_t at = first + i;
        uint64_t left = m->elements - (uint64_t)at;
        uint32_t run = at < 0 || (uint64_t)at >= m->elements ? 1 : (uint32_t)(left < n - i ? left : n - i);
        memcpy(out + (size_t)i * bytes, src + inside(m, at) * bytes, (size_t)run * bytes);
        i += run;
    }
}

static void make_line_u8(const struct image *m, union line *line, uint64_t row, int64_t first, uint32_t n)
{
    uint8_t raw[CONVOLVE_LINE + CONVOLVE_CHANNELS];
    copy_row(m, raw, 1, row, first, n + m->channels);
    for (uint32_t i = 0; i < n; i++)
        line->pairs[i] = pair16(raw[i], raw[i + m->channels]);
}

/* Line j of the neighbourhood of a row, the first row of the image standing for what is above it, the last for what is below. */
static void make_line(const struct image *m, union line *line, int64_t row, uint64_t strip, uint32_t count, bool floats)
{
    int64_t last = (int64_t)m->height - 1;
    uint64_t at = (uint64_t)(row < 0 ? 0 : row > last ? last : row);
    int64_t first = (int64_t)(strip * CONVOLVE_STRIP) - (int64_t)(m->side_x / 2 * m->channels);
    uint32_t n = count + (m->side_x - 1) * m->channels;
    if (floats)
        copy_row(m, line->floats, 4, at, first, n);
    else
        make_line_u8(m, line, at, first, n);
    memset(line->pairs + n, 0, (CONVOLVE_LINE - n) * sizeof line->pairs[0]);
}

/* A piece's measure is parts of its rows. */
static inline __attribute__((always_inline)) bool band(struct exec *x, const struct image *m, struct piece *p, bool floats)
{
    union line lines[CONVOLVE_SIDE];
    const void *order[CONVOLVE_SIDE];
    union {
        uint8_t bytes[CONVOLVE_ROUNDED];
        float floats[CONVOLVE_ROUNDED];
    } out;
    struct convolve_row r = m->row;
    uint64_t strip = p->index % m->strips, top = p->index / m->strips * BAND, rows = m->height - top < BAND ? m->height - top : BAND;
    uint64_t left = m->elements - strip * CONVOLVE_STRIP, bytes = floats ? 4 : 1, begun = p->done / m->parts;
    uint32_t count = (uint32_t)(left < CONVOLVE_STRIP ? left : CONVOLVE_STRIP);
    int64_t next = (int64_t)(top + begun) - m->side_y / 2; /* the row whose line comes next */
    r.lines = order;
    for (uint64_t made = 0; p->done < rows * m->parts; p->done++) {
        uint64_t row = p->done / m->parts;
        uint32_t e = (uint32_t)(p->done % m->parts) * m->part;
        for (; made < row - begun + m->side_y; made++, next++) {
            if (piece_left(x, p))
                return false;
            make_line(m, &lines[made % m->side_y], next, strip, count, floats);
        }
        if (e >= count)
            continue;
        if (piece_left(x, p))
            return false;
        for (uint32_t j = 0; j < m->side_y; j++)
            order[j] = lines[(made + j) % m->side_y].pairs + e;
        r.count = count - e < m->part ? count - e : m->part;
        if (floats)
            x->device->kernels->convolve_f32(out.floats, &r);
        else
            x->device->kernels->convolve_u8(out.bytes, &r);
        memcpy(m->dst + ((top + row) * m->elements + strip * CONVOLVE_STRIP + e) * bytes, &out, r.count * bytes);
    }
    return true;
}

static bool band_u8(struct exec *x, const void *args, struct piece *p)
{
    return band(x, args, p, false);
}

static bool band_f32(struct exec *x, const void *args, struct piece *p)
{
    return band(x, args, p, true);
}

static bool shape(struct image *m, const struct call *c, uint32_t bytes, uint32_t weight_bytes)
{
    uint64_t pixels = (uint64_t)c->scalar[3] * c->scalar[4];
    *m = (struct image){.src = c->pointer[0],
                        .dst = c->pointer[2],
                        .width = c->scalar[3],
                        .height = c->scalar[4],
                        .channels = c->scalar[5],
                        .side_x = c->scalar[6],
                        .side_y = c->scalar[7]};
    if (!pixels || !m->channels || m->channels > CONVOLVE_CHANNELS || pixels > UINT64_MAX / CONVOLVE_CHANNELS || !(m->side_x & 1) ||
        !(m->side_y & 1) || m->side_x > CONVOLVE_SIDE || m->side_y > CONVOLVE_SIDE)
        return false;
    m->elements = m->width * m->channels;
    m->strips = (m->elements + CONVOLVE_STRIP - 1) / CONVOLVE_STRIP;
    m->row = (struct convolve_row){.weights = &m->weights, .height = m->side_y};
    m->part = PRODUCTS / (m->side_x * m->side_y) & ~63u;
    m->parts = (CONVOLVE_STRIP + m->part - 1) / m->part;
    return call_holds(c, 0, pixels * m->channels, bytes) && call_holds(c, 1, (uint64_t)m->side_x * m->side_y, weight_bytes) &&
           call_holds(c, 2, pixels * m->channels, bytes) && !call_overlaps(c, 0, 2) && !call_overlaps(c, 1, 2);
}

static int finish(struct exec *x, const struct image *m, uint32_t bytes, loop_body *body)
{
    parallel(x, (m->height + BAND - 1) / BAND * m->strips, body, m);
    x->did.bytes_read += m->height * m->elements * bytes;
    x->did.bytes_written += m->height * m->elements * bytes;
    return 0;
}

int run_convolve_f32(struct exec *x, const struct call *c)
{
    struct image m;
    if (!shape(&m, c, 4, 4))
        return -EINVAL;
    uint32_t n = m.side_x * m.side_y;
    for (uint32_t i = 0; i < n; i++)
        memcpy(&m.weights.floats[i], c->pointer[1] + 4 * (n - 1 - i), 4);
    m.row.steps = m.side_x;
    m.row.stride = m.channels;
    return finish(x, &m, 4, band_f32);
}

int run_convolve_u8(struct exec *x, const struct call *c)
{
    struct image m;
    int16_t w[CONVOLVE_SIDE * CONVOLVE_SIDE + 1];
    uint32_t divisor = c->scalar[8], sum = 0;
    if (!divisor || divisor > CONVOLVE_DIVISOR || !shape(&m, c, 1, 2))
        return -EINVAL;
    uint32_t n = m.side_x * m.side_y, steps = (m.side_x + 1) / 2;
    memcpy(w, c->pointer[1], n * sizeof w[0]);
    for (uint32_t i = 0; i < n; i++)
        sum += (uint32_t)(w[i] < 0 ? -w[i] : w[i]);
    if (sum > CONVOLVE_WEIGHT_SUM)
        return -EINVAL;
    for (uint32_t j = 0; j < m.side_y; j++)
        for (uint32_t i = 0; i < steps; i++) {
            uint32_t at = n - 1 - j * m.side_x - 2 * i;
            m.weights.pairs[j * steps + i] = pair16(w[at], 2 * i + 1 < m.side_x ? w[at - 1] : 0);
        }
    m.row.steps = steps;
    m.row.stride = 2 * m.channels;
    m.row.half = divisor / 2;
    m.row.inverse = 1.0 / divisor;
    return finish(x, &m, 1, band_u8);
}
