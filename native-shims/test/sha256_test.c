#include <stdlib.h>

#include "../kit/sha256.h"
#include "harness.h"

static void hex(char *to, const uint8_t *digest)
{
    for (int i = 0; i < 32; i++)
        snprintf(to + 2 * i, 3, "%02x", digest[i]);
}

static const char *hash(sha256_compress *compress, const uint8_t *data, uint64_t length)
{
    static char text[65];
    uint32_t state[8];
    uint8_t digest[32];
    memcpy(state, sha256_initial, sizeof state);
    compress(state, data, length / 64);
    sha256_finish(compress, state, data + length / 64 * 64, length, digest);
    hex(text, digest);
    return text;
}

/* FIPS 180-4 examples and their usual companions */
static const struct {
    const char *text, *digest;
} vectors[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
     "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
};

static void check_vectors(sha256_compress *compress)
{
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        CHECK(!strcmp(vectors[i].digest, hash(compress, (const uint8_t *)vectors[i].text, strlen(vectors[i].text))));
    uint8_t *million = malloc(1000000);
    memset(million, 'a', 1000000);
    bool same = !strcmp("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0", hash(compress, million, 1000000));
    free(million);
    CHECK(same);
}

static void portable_meets_the_vectors(void)
{
    check_vectors(sha256_compress_portable);
}

static void hardware_meets_the_vectors(void)
{
    if (sha256_hardware())
        check_vectors(sha256_hardware());
}

static void both_agree_on_every_length(void)
{
    uint64_t state = 42;
    uint8_t data[515];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)test_random(&state);
    for (uint64_t n = 0; n < sizeof data - 3 && sha256_hardware(); n++) {
        char one[65];
        snprintf(one, sizeof one, "%s", hash(sha256_compress_portable, data + n % 3, n));
        CHECK(!strcmp(one, hash(sha256_hardware(), data + n % 3, n)));
    }
}

static void two_at_once_agree_with_one(void)
{
    uint64_t state = 43;
    uint8_t data[2][640];
    for (size_t i = 0; i < sizeof data; i++)
        data[i / 640][i % 640] = (uint8_t)test_random(&state);
    for (uint64_t n = 0; n <= 10 && sha256_hardware_pair(); n++) {
        uint32_t one[2][8], two[2][8];
        for (int i = 0; i < 2; i++) {
            memcpy(one[i], sha256_initial, 32);
            memcpy(two[i], sha256_initial, 32);
            sha256_compress_portable(one[i], data[i], n);
        }
        sha256_hardware_pair()(two[0], data[0], two[1], data[1], n);
        CHECK(!memcmp(one, two, sizeof one));
    }
}

static const struct test tests[] = {
    TEST(portable_meets_the_vectors),
    TEST(hardware_meets_the_vectors),
    TEST(both_agree_on_every_length),
    TEST(two_at_once_agree_with_one),
};

int main(int argc, char **argv)
{
    return run_tests("sha256", tests, sizeof tests / sizeof tests[0], argc, argv);
}
