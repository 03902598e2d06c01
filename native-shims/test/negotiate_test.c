#include <errno.h>
#include <stdlib.h>

#include "harness.h"
#include "rt.h"

static char why[512];

static void nothing(void)
{
}

/* A vtable of `spec` with every entry present, in room for a larger one. */
static void *full(const struct vtable_spec *spec)
{
    static uint64_t words[1024];
    memset(words, 0, sizeof words);
    words[0] = spec->size;
    *(uint32_t *)(void *)&words[1] = ISLE_KABI_VERSION;
    for (uint32_t i = 0; i < spec->entry_count; i++)
        *(void (**)(void))(void *)((uint8_t *)words + spec->first_entry + i * 8) = nothing;
    return words;
}

static const struct vtable_spec *const specs[] = {&spec_base, &spec_compute, &spec_programs, &spec_shared_memory, &spec_fault_injection,
                                                  &spec_display, &spec_scanout, &spec_execution};
#define SPECS (sizeof specs / sizeof specs[0])

static int negotiate(const struct vtable_spec *spec, const void *vtable, isle_negotiated *n, void *copy)
{
    why[0] = 0;
    return negotiate_vtable(spec, vtable, copy, n, why, sizeof why);
}

static uint64_t copy[64];

static void full_vtables_are_accepted(void)
{
    for (size_t s = 0; s < SPECS; s++) {
        isle_negotiated n;
        CHECK_EQ(0, negotiate(specs[s], full(specs[s]), &n, copy));
        CHECK_EQ(((uint64_t)1 << specs[s]->entry_count) - 1, n.entries);
        CHECK_EQ(specs[s]->size, n.vtable_size);
        CHECK_EQ(specs[s]->interface_id, n.interface_id);
    }
}

static void wrong_major_is_a_mismatch(void)
{
    for (size_t s = 0; s < SPECS; s++) {
        uint64_t *v = full(specs[s]);
        isle_negotiated n;
        for (uint32_t major = 0; major < 4; major++) {
            *(uint32_t *)(void *)&v[1] = major << 16;
            CHECK_EQ(major == 1 ? 0 : -ISLE_KABI_VERSION_MISMATCH, negotiate(specs[s], v, &n, copy));
            CHECK(major == 1 || strstr(why, "KABI_VERSION_MISMATCH"));
        }
    }
}

static void newer_minor_with_trailing_fields_is_accepted(void)
{
    for (size_t s = 0; s < SPECS; s++) {
        uint64_t *v = full(specs[s]);
        isle_negotiated n;
        *(uint32_t *)(void *)&v[1] = ISLE_KABI_VERSION + 7;
        v[0] = specs[s]->size + 64;
        memset((uint8_t *)v + specs[s]->size, 0xab, 64);
        uint64_t guard[64];
        memset(guard, 0x5a, sizeof guard);
        CHECK_EQ(0, negotiate(specs[s], v, &n, guard));
        CHECK_EQ(0x5a5a5a5a5a5a5a5a, guard[specs[s]->size / 8]);
        CHECK_EQ(ISLE_KABI_VERSION + 7, n.version);
    }
}

static void every_null_entry_is_told_or_absent(void)
{
    for (size_t s = 0; s < SPECS; s++) {
        for (uint32_t i = 0; i < specs[s]->entry_count; i++) {
            uint64_t *v = full(specs[s]);
            isle_negotiated n;
            v[specs[s]->first_entry / 8 + i] = 0;
            bool required = specs[s]->required >> i & 1;
            CHECK_EQ(required ? -EINVAL : 0, negotiate(specs[s], v, &n, copy));
            CHECK(!required || (strstr(why, specs[s]->entries[i]) && strstr(why, "null")));
            CHECK(required || !(n.entries >> i & 1));
        }
    }
}

static void every_truncation_is_judged_by_what_it_cuts(void)
{
    for (size_t s = 0; s < SPECS; s++) {
        for (uint64_t size = 0; size <= specs[s]->size + 16u; size++) {
            uint64_t *v = full(specs[s]);
            isle_negotiated n;
            v[0] = size;
            uint64_t entries = size < specs[s]->first_entry ? 0 : (size - specs[s]->first_entry) / 8;
            uint64_t there = entries >= 64 ? ~0ull : (1ull << entries) - 1;
            bool good = size % 8 == 0 && size >= specs[s]->first_entry && !(specs[s]->required & ~there);
            CHECK_EQ(good ? 0 : -EINVAL, negotiate(specs[s], v, &n, copy));
            CHECK(good || why[0]);
        }
    }
}

static void absurd_vtables_are_refused(void)
{
    isle_negotiated n;
    uint64_t *v = full(&spec_base);
    CHECK_EQ(-EINVAL, negotiate(&spec_base, NULL, &n, copy));
    CHECK_EQ(-EINVAL, negotiate(&spec_base, (uint8_t *)v + 4, &n, copy));
    const uint64_t sizes[] = {RT_MAX_VTABLE + 8, 1ull << 32, 1ull << 63, UINT64_MAX, UINT64_MAX - 7};
    for (size_t i = 0; i < 5; i++) {
        v[0] = sizes[i];
        CHECK_EQ(-EINVAL, negotiate(&spec_base, v, &n, copy));
    }
}

static struct core core;

static int try_load(const char *variant)
{
    setenv("ISLE_TEST_DRIVER", variant, 1);
    core_make(&core);
    int rc = core_load(&core, "libtestdriver.so");
    if (!rc)
        core_unload(&core);
    core_free(&core);
    return rc;
}

static void broken_drivers_are_not_loaded(void)
{
    CHECK_EQ(0, try_load("completes"));
    CHECK_EQ(0, try_load("newer-minor"));
    CHECK_EQ(-ISLE_KABI_VERSION_MISMATCH, try_load("wrong-major"));
    CHECK(strstr(core.why, "KABI_VERSION_MISMATCH"));
    CHECK_EQ(-ISLE_KABI_VERSION_MISMATCH, try_load("refuses"));
    CHECK_EQ(-EINVAL, try_load("odd-size"));
    CHECK(strstr(core.why, "struct_size"));
    CHECK_EQ(-EINVAL, try_load("null-open"));
    CHECK(strstr(core.why, "open"));
    CHECK_EQ(-ENXIO, try_load("init-fails"));
}

static void what_is_no_driver_is_not_loaded(void)
{
    core_make(&core);
    CHECK_EQ(-ENOENT, core_load(&core, "no-such-file.so"));
    CHECK_EQ(-ENOEXEC, core_load(&core, "../../Makefile"));
    CHECK_EQ(-ENOEXEC, core_load(&core, "libisle_shim.so"));
    CHECK(strstr(core.why, ISLE_DRIVER_ENTRY));
    core_free(&core);
}

static int try_open(const char *variant, char *text)
{
    setenv("ISLE_TEST_DRIVER", variant, 1);
    core_make(&core);
    int rc = core_load(&core, "libtestdriver.so");
    if (rc)
        return rc;
    rc = core_open(&core, NULL);
    snprintf(text, 256, "%.*s", (int)core_body_length(&core), (const char *)core_body(&core));
    core_unload(&core);
    core_free(&core);
    return rc;
}

static void broken_interfaces_do_not_open(void)
{
    char text[256];
    CHECK_EQ(0, try_open("completes", text));
    CHECK_EQ(0, try_open("callback", text));
    CHECK_EQ(0, try_open("poll", text));
    CHECK_EQ(-EINVAL, try_open("base-odd-size", text));
    CHECK(strstr(text, "vtable_size"));
    CHECK_EQ(-EINVAL, try_open("base-truncated", text));
    CHECK(strstr(text, "reset_context lies beyond"));
    CHECK_EQ(-EINVAL, try_open("base-null-entry", text));
    CHECK(strstr(text, "AccelBase: required entry reset_device is null"));
    CHECK_EQ(-ISLE_KABI_VERSION_MISMATCH, try_open("base-wrong-major", text));
    CHECK_EQ(-ENOENT, try_open("base-absent", text));
    CHECK_EQ(-EINVAL, try_open("compute-null-entry", text));
    CHECK(strstr(text, "AccelCompute: required entry get_compute_caps"));
    CHECK_EQ(-EINVAL, try_open("tiny-commands", text));
    CHECK(strstr(text, "max_cmd_buffer_size"));
    CHECK_EQ(-ENODEV, try_open("open-fails", text));
}

static void wrong_channels_are_refused(void)
{
    for (int i = 0; i < 8; i++) {
        core_make(&core);
        isle_channel_header *h = core.channel;
        int want = -EINVAL;
        switch (i) {
        case 0: h->magic++, want = -EPROTO; break;
        case 1: h->abi++, want = -EPROTO; break;
        case 2: h->max_inflight = 0; break;
        case 3: h->max_inflight = h->completion_capacity + 1; break;
        case 4: h->completion_capacity = 100; break;
        case 5: h->completion_offset = h->total_size; break;
        case 6: h->completion_offset = UINT64_MAX & ~63ull; break;
        case 7: h->completion_offset += 8; break;
        }
        CHECK_EQ(want, core_load(&core, "libsoftaccel.so"));
        core_free(&core);
    }
}

static void a_library_is_gone_after_the_last_unload(void)
{
    static struct core second;
    core_make(&core);
    core_make(&second);
    CHECK_EQ(0, core_load(&core, "libsoftaccel.so"));
    CHECK_EQ(0, core_load(&second, "libsoftaccel.so"));
    CHECK_EQ(0, core_open(&second, NULL)); /* threads, and a device that unload must close */
    CHECK_EQ(-EBUSY, core_unload(&core));
    CHECK_EQ(0, core_unload(&second));
    core_free(&core);
    core_free(&second);
}

static const struct test tests[] = {
    TEST(full_vtables_are_accepted),
    TEST(wrong_major_is_a_mismatch),
    TEST(newer_minor_with_trailing_fields_is_accepted),
    TEST(every_null_entry_is_told_or_absent),
    TEST(every_truncation_is_judged_by_what_it_cuts),
    TEST(absurd_vtables_are_refused),
    TEST(broken_drivers_are_not_loaded),
    TEST(what_is_no_driver_is_not_loaded),
    TEST(broken_interfaces_do_not_open),
    TEST(wrong_channels_are_refused),
    TEST(a_library_is_gone_after_the_last_unload),
};

int main(int argc, char **argv)
{
    return run_tests("negotiate", tests, sizeof tests / sizeof tests[0], argc, argv);
}
