/* Included by template.h. A tile of C is TILE_ROWS times two vectors: its sums stay in registers over the whole depth. */
#define TILE_COLUMNS (2 * LANES)

TARGET static void pack_a_f32(void *to, const void *from, uint64_t ld, uint32_t rows, uint32_t depth)
{
    float *out = to;
    const float *a = from;
    for (uint32_t r = 0; r < TILE_ROWS; r++)
        for (uint32_t d = 0; d < depth; d++)
            out[(size_t)d * TILE_ROWS + r] = r < rows ? a[r * ld + d] : 0;
}

TARGET static void pack_b_f32(void *to, const void *from, uint64_t ld, uint32_t depth, uint32_t columns)
{
    float *out = to;
    const float *b = from;
    for (uint32_t d = 0; d < depth; d++, out += TILE_COLUMNS, b += ld) {
        if (columns == TILE_COLUMNS) {
            memcpy(out, b, sizeof(float) * TILE_COLUMNS);
            continue;
        }
        for (uint32_t j = 0; j < TILE_COLUMNS; j++)
            out[j] = j < columns ? b[j] : 0;
    }
}

/* Words of two 16-bit values: this step of depth and the next. */
TARGET static void pack_a_i8(void *to, const void *from, uint64_t ld, uint32_t rows, uint32_t depth)
{
    int32_t *out = to;
    const int8_t *a = from;
    for (uint32_t d = 0; d < depth; d += 2)
        for (uint32_t r = 0; r < TILE_ROWS; r++) {
            uint64_t at = r * ld + d;
            *out++ = r < rows ? pair16(a[at], d + 1 < depth ? a[at + 1] : 0) : 0;
        }
}

TARGET static void pack_b_i8(void *to, const void *from, uint64_t ld, uint32_t depth, uint32_t columns)
{
    int32_t *out = to;
    const int8_t *b = from;
    for (uint32_t d = 0; d < depth; d += 2, out += TILE_COLUMNS, b += 2 * ld) {
        bool both = d + 1 < depth;
        for (uint32_t j = 0; j < columns; j++)
            out[j] = pair16(b[j], both ? b[ld + j] : 0);
        memset(out + columns, 0, sizeof *out * (TILE_COLUMNS - columns));
    }
}

/* A tile at an edge, by way of one that is whole. */
#define PART_OF_TILE(element, plus)                                                       \
    for (uint32_t r = 0; r < rows; r++)                                                   \
        for (uint32_t j = 0; j < columns; j++) {                                          \
            element *at = (element *)c_ + r * ld + j, value = whole[r * TILE_COLUMNS + j]; \
            *at = add ? plus(*at, value) : value;                                         \
        }
#define PLUS_F32(a, b) ((a) + (b))
#define PLUS_I32(a, b) ((int32_t)((uint32_t)(a) + (uint32_t)(b)))

TARGET static void tile_f32(void *c_, uint64_t ld, const void *a_, const void *b_, uint32_t depth, uint32_t rows, uint32_t columns,
                            bool add)
{
    const float *a = a_, *b = b_;
    vf sum[TILE_ROWS][2] = {0};
    for (uint32_t d = 0; d < depth; d++, a += TILE_ROWS, b += TILE_COLUMNS) {
        vf b0 = LOAD(vf, b), b1 = LOAD(vf, b + LANES);
#pragma GCC unroll 16
        for (int r = 0; r < TILE_ROWS; r++) {
            sum[r][0] += a[r] * b0;
            sum[r][1] += a[r] * b1;
        }
    }
    bool full = rows == TILE_ROWS && columns == TILE_COLUMNS;
    float whole[TILE_ROWS * TILE_COLUMNS], *c = full ? c_ : whole;
    uint64_t step = full ? ld : TILE_COLUMNS;
#pragma GCC unroll 16
    for (int r = 0; r < TILE_ROWS; r++, c += step) {
        if (full && add) {
            sum[r][0] = LOAD(vf, c) + sum[r][0];
            sum[r][1] = LOAD(vf, c + LANES) + sum[r][1];
        }
        STORE(vf, c) = sum[r][0];
        STORE(vf, c + LANES) = sum[r][1];
    }
    if (!full)
        PART_OF_TILE(float, PLUS_F32)
}

TARGET static void tile_i8(void *c_, uint64_t ld, const void *a_, const void *b_, uint32_t depth, uint32_t rows, uint32_t columns,
                           bool add)
{
    const int32_t *a = a_, *b = b_;
    vi sum[TILE_ROWS][2] = {0};
    for (uint32_t d = 0; d < depth; d += 2, a += TILE_ROWS, b += TILE_COLUMNS) {
        vi b0 = LOAD(vi, b), b1 = LOAD(vi, b + LANES);
#pragma GCC unroll 16
        for (int r = 0; r < TILE_ROWS; r++) {
            vi x = a[r] | (vi){0};
            sum[r][0] = ADD(sum[r][0], MULTIPLY_PAIRS(x, b0));
            sum[r][1] = ADD(sum[r][1], MULTIPLY_PAIRS(x, b1));
        }
    }
    bool full = rows == TILE_ROWS && columns == TILE_COLUMNS;
    int32_t whole[TILE_ROWS * TILE_COLUMNS], *c = full ? c_ : whole;
    uint64_t step = full ? ld : TILE_COLUMNS;
#pragma GCC unroll 16
    for (int r = 0; r < TILE_ROWS; r++, c += step) {
        if (full && add) {
            sum[r][0] = ADD(LOAD(vi, c), sum[r][0]);
            sum[r][1] = ADD(LOAD(vi, c + LANES), sum[r][1]);
        }
        STORE(vi, c) = sum[r][0];
        STORE(vi, c + LANES) = sum[r][1];
    }
    if (!full)
        PART_OF_TILE(int32_t, PLUS_I32)
}
