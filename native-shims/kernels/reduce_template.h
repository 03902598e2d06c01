/* Included by template.h. Plain loops that compilers turn into vectors; only the sum of floats has an order of its own. */
#define REDUCE(name, element, result, first, take)      \
    TARGET static uint64_t name(const void *from, uint64_t n) \
    {                                                   \
        const element *v = from;                        \
        result so_far = first;                          \
        for (uint64_t i = 0; i < n; i++)                \
            so_far = take(so_far, v[i]);                \
        return (uint64_t)so_far;                        \
    }
#define TAKE_SUM(a, b) ((a) + (b))
#define TAKE_MIN(a, b) ((b) < (a) ? (b) : (a))
#define TAKE_MAX(a, b) ((b) > (a) ? (b) : (a))

REDUCE(sum_u32, uint32_t, uint64_t, 0, TAKE_SUM)
REDUCE(min_u32, uint32_t, uint32_t, UINT32_MAX, TAKE_MIN)
REDUCE(max_u32, uint32_t, uint32_t, 0, TAKE_MAX)
REDUCE(sum_u64, uint64_t, uint64_t, 0, TAKE_SUM)
REDUCE(min_u64, uint64_t, uint64_t, UINT64_MAX, TAKE_MIN)
REDUCE(max_u64, uint64_t, uint64_t, 0, TAKE_MAX)
REDUCE(sum_i32, int32_t, int64_t, 0, TAKE_SUM)
#define SIGNED(name, first, take)                             \
    TARGET static uint64_t name(const void *from, uint64_t n) \
    {                                                         \
        const int32_t *v = from;                              \
        int32_t so_far = first;                               \
        for (uint64_t i = 0; i < n; i++)                      \
            so_far = take(so_far, v[i]);                      \
        return (uint64_t)(int64_t)so_far;                     \
    }
SIGNED(min_i32, INT32_MAX, TAKE_MIN)
SIGNED(max_i32, INT32_MIN, TAKE_MAX)

/* Sixteen sums side by side, in every set alike: the result does not depend on the vector unit. */
#define SUMS 16
TARGET static uint64_t sum_f32(const void *from, uint64_t n)
{
    const float *v = from;
    double sums[SUMS] = {0}, sum = 0;
    uint64_t i = 0, bits;
    for (; i + SUMS <= n; i += SUMS)
        for (int k = 0; k < SUMS; k++)
            sums[k] += v[i + (uint64_t)k];
    for (; i < n; i++)
        sum += v[i];
    for (int k = 0; k < SUMS; k++)
        sum += sums[k];
    memcpy(&bits, &sum, sizeof bits);
    return bits;
}

/* Bits of a float as a number in the order of floats; a NaN is past the infinities. */
#define KEY(b) ((b) ^ ((b) >> 31 & 0x7fffffff))
#define IS_NAN(b) (((b) & 0x7fffffff) > 0x7f800000)
#define ORDERED(name, first, take, nan)                       \
    TARGET static uint64_t name(const void *from, uint64_t n) \
    {                                                         \
        const int32_t *v = from;                              \
        int32_t so_far = first, nans = 0;                     \
        for (uint64_t i = 0; i < n; i++) {                    \
            so_far = take(so_far, KEY(v[i]));                 \
            nans |= IS_NAN(v[i]);                             \
        }                                                     \
        return (uint64_t)(nans ? nan : so_far);               \
    }
ORDERED(min_f32, INT32_MAX, TAKE_MIN, REDUCE_NAN_MIN)
ORDERED(max_f32, INT32_MIN, TAKE_MAX, REDUCE_NAN_MAX)
