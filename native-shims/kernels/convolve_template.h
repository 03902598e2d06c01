/* Included by template.h. Four vectors of results at a time, so that each weight is fetched once for all of them. */
#define CONVOLVE_STEP (4 * LANES)
_Static_assert(CONVOLVE_ROUNDED % CONVOLVE_STEP == 0 && CONVOLVE_STRIP <= CONVOLVE_ROUNDED, "a strip is whole steps");

/*
 * Half up: floor(s / d + 1/2) = floor((s + floor(d / 2)) / d). The quotient is exact by way of a double: for whole t and d below 2^31
 * (t + 1/2) / d is at least 1 / 2d away from a whole number, and its error is less than 2^31 / d * 2^-51.
 */
INLINE void divide_u8(uint8_t *out, const int32_t *sums, const struct convolve_row *r)
{
    double add = r->half + 0.5, inverse = r->inverse;
    for (int i = 0; i < CONVOLVE_STEP; i++) {
        int32_t s = sums[i] < 0 ? 0 : sums[i];
        int32_t q = (int32_t)((s + add) * inverse);
        out[i] = (uint8_t)(q > 255 ? 255 : q);
    }
}

TARGET static void convolve_u8(uint8_t *out, const struct convolve_row *r)
{
    for (uint32_t e = 0; e < r->count; e += CONVOLVE_STEP) {
        const int32_t *w = r->weights;
        vi s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        for (uint32_t j = 0; j < r->height; j++) {
            const int32_t *at = (const int32_t *)r->lines[j] + e;
            for (uint32_t i = 0; i < r->steps; i++, at += r->stride) {
                vi x = *w++ | (vi){0};
                s0 = ADD(s0, MULTIPLY_PAIRS(LOAD(vi, at), x));
                s1 = ADD(s1, MULTIPLY_PAIRS(LOAD(vi, at + LANES), x));
                s2 = ADD(s2, MULTIPLY_PAIRS(LOAD(vi, at + 2 * LANES), x));
                s3 = ADD(s3, MULTIPLY_PAIRS(LOAD(vi, at + 3 * LANES), x));
            }
        }
        int32_t sums[CONVOLVE_STEP];
        STORE(vi, sums) = s0;
        STORE(vi, sums + LANES) = s1;
        STORE(vi, sums + 2 * LANES) = s2;
        STORE(vi, sums + 3 * LANES) = s3;
        divide_u8(out + e, sums, r);
    }
}

TARGET static void convolve_f32(float *out, const struct convolve_row *r)
{
    for (uint32_t e = 0; e < r->count; e += CONVOLVE_STEP) {
        const float *w = r->weights;
        vf s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        for (uint32_t j = 0; j < r->height; j++) {
            const float *at = (const float *)r->lines[j] + e;
            for (uint32_t i = 0; i < r->steps; i++, at += r->stride, w++) {
                s0 += *w * LOAD(vf, at);
                s1 += *w * LOAD(vf, at + LANES);
                s2 += *w * LOAD(vf, at + 2 * LANES);
                s3 += *w * LOAD(vf, at + 3 * LANES);
            }
        }
        STORE(vf, out + e) = s0;
        STORE(vf, out + e + LANES) = s1;
        STORE(vf, out + e + 2 * LANES) = s2;
        STORE(vf, out + e + 3 * LANES) = s3;
    }
}
