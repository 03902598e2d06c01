/* Images of handlers made by hand, right and wrong in one field each. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>

#include "../spin/calls.h"
#include "../spin/image.h"
#include "harness.h"

#define MOST (64u << 10)
#define BASE 0x20000000u
#define HEADERS 4u
#define RELOCATIONS 4u

/* The file: headers, then a page each of data that is relocated (at 0), code (at 0x1000), variables (at 0x2000, two pages in memory). */
struct file {
    union {
        struct {
            Elf32_Ehdr header;
            Elf32_Phdr program[HEADERS];
        };
        uint8_t first[SPIN_PAGE];
    };
    union {
        struct {
            uint32_t magic, version, calls, call_count, host_data, host_data_size, begin, chosen;
            uint64_t slots[SPIN_CALL_COUNT];
            Elf32_Dyn dynamic[6];
            Elf32_Rela relocations[RELOCATIONS];
        };
        uint8_t relocated[SPIN_PAGE];
    };
    uint8_t code[SPIN_PAGE];
    uint8_t variables[SPIN_PAGE];
};

static struct file f;
static struct spin_image image;
static struct spin_entry entry;
static char why[SPIN_WHY];

static uint32_t place_of(const void *field)
{
    return (uint32_t)((const uint8_t *)field - f.relocated);
}

static Elf32_Phdr load(uint32_t offset, uint32_t address, uint32_t bytes, uint32_t size, uint32_t flags)
{
    return (Elf32_Phdr){.p_type = PT_LOAD,
                        .p_offset = offset,
                        .p_vaddr = address,
                        .p_filesz = bytes,
                        .p_memsz = size,
                        .p_flags = flags};
}

static void make(void)
{
    memset(&f, 0, sizeof f);
    memcpy(f.header.e_ident, ELFMAG, SELFMAG);
    f.header.e_ident[EI_CLASS] = ELFCLASS32;
    f.header.e_ident[EI_DATA] = ELFDATA2LSB;
    f.header.e_ident[EI_VERSION] = EV_CURRENT;
    f.header.e_version = EV_CURRENT;
    f.header.e_machine = EM_X86_64;
    f.header.e_type = ET_DYN;
    f.header.e_phoff = sizeof f.header;
    f.header.e_phentsize = sizeof(Elf32_Phdr);
    f.header.e_phnum = HEADERS;
    f.program[0] = load(0x1000, 0, SPIN_PAGE, SPIN_PAGE, PF_R);
    f.program[1] = load(0x2000, 0x1000, SPIN_PAGE, SPIN_PAGE, PF_R | PF_X);
    f.program[2] = load(0x3000, 0x2000, 16, 2 * SPIN_PAGE, PF_R | PF_W);
    f.program[3] = load(0, place_of(f.dynamic), sizeof f.dynamic, sizeof f.dynamic, PF_R);
    f.program[3].p_type = PT_DYNAMIC;
    f.magic = ISLE_SPIN_IMAGE_MAGIC;
    f.version = ISLE_SPIN_IMAGE_VERSION;
    f.call_count = SPIN_CALL_COUNT;
    f.host_data_size = SPIN_HOST_DATA;
    f.dynamic[0] = (Elf32_Dyn){DT_RELA, {place_of(f.relocations)}};
    f.dynamic[1] = (Elf32_Dyn){DT_RELASZ, {sizeof f.relocations}};
    f.dynamic[2] = (Elf32_Dyn){DT_RELAENT, {sizeof(Elf32_Rela)}};
    f.dynamic[3] = (Elf32_Dyn){DT_STRSZ, {1}};
    const uint32_t to[RELOCATIONS] = {place_of(f.slots), 0x3000, 0x1000, 0x2010};
    const void *at[RELOCATIONS] = {&f.calls, &f.host_data, &f.begin, &f.chosen};
    for (uint32_t i = 0; i < RELOCATIONS; i++)
        f.relocations[i] = (Elf32_Rela){place_of(at[i]), ELF32_R_INFO(0, R_X86_64_RELATIVE), (int32_t)to[i]};
    memset(f.code, 0xc3, sizeof f.code);
    memset(f.variables, 7, 16);
}

/* The file is at the end of what is allocated, so that a sanitizer sees a byte read behind it. */
static int try(const void *file, size_t length)
{
    uint8_t *copy = malloc(length ? length : 1), *memory = NULL;
    memcpy(copy, file, length);
    why[0] = 0;
    int code = spin_image_read(&image, copy, length, MOST, why);
    if (!code) {
        memory = calloc(1, image.size ? image.size : 1);
        code = spin_image_place(&image, memory, BASE, &entry, why);
    }
    free(memory);
    free(copy);
    return code;
}

static void accepts_what_is_right(void)
{
    make();
    CHECK_EQ(0, try(&f, sizeof f));
    CHECK_EQ(0x4000, image.size);
    CHECK_EQ(3, image.segment_count);
    CHECK_EQ(place_of(f.slots), entry.calls);
    CHECK_EQ(0x3000, entry.host_data);
    CHECK_EQ(0x1000, entry.begin);
    CHECK_EQ(0x2010, entry.chosen);
    CHECK(!image.segments[0].writable && !image.segments[0].executable);
    CHECK(!image.segments[1].writable && image.segments[1].executable);
    CHECK(image.segments[2].writable && !image.segments[2].executable);
}

static void copies_and_fills_with_zeros(void)
{
    make();
    CHECK_EQ(0, spin_image_read(&image, (const uint8_t *)&f, sizeof f, MOST, why));
    uint8_t *memory = calloc(1, image.size);
    int code = spin_image_place(&image, memory, BASE, &entry, why);
    uint32_t calls;
    memcpy(&calls, memory + place_of(&f.calls), sizeof calls);
    uint8_t set = memory[0x200f], behind = memory[0x2010], opcode = memory[0x1fff];
    free(memory);
    CHECK_EQ(0, code);
    CHECK_EQ(BASE + place_of(f.slots), calls);
    CHECK_EQ(7, set);
    CHECK_EQ(0, behind);
    CHECK_EQ(0xc3, opcode);
}

static void names_the_field(void)
{
#define WRONG(field, value, words)                  \
    {                                               \
        make();                                     \
        f.field = value;                            \
        CHECK_EQ(-EINVAL, try(&f, sizeof f));       \
        if (!strstr(why, words))                    \
            printf("  %s\n", why);                  \
        CHECK(strstr(why, words));                  \
    }
    WRONG(header.e_ident[0], 'E', "ELF")
    WRONG(header.e_ident[EI_CLASS], ELFCLASS64, "class 2")
    WRONG(header.e_ident[EI_DATA], ELFDATA2MSB, "byte order 2")
    WRONG(header.e_machine, EM_386, "machine 3")
    WRONG(header.e_version, 2, "version 2")
    WRONG(header.e_type, ET_EXEC, "type 2")
    WRONG(header.e_phentsize, 8, "of 8 bytes")
    WRONG(header.e_phnum, 0, "0 program headers")
    WRONG(header.e_phnum, 17, "17 program headers")
    WRONG(header.e_phoff, UINT32_MAX, "program headers at 4294967295")
    WRONG(header.e_entry, 0x1000, "entry 0x1000")
    WRONG(header.e_entry, UINT32_MAX, "entry 0xffffffff")
    WRONG(program[1].p_vaddr, 0x1800, "0x1800")
    WRONG(program[1].p_vaddr, 0, "0 does not begin a page behind")
    WRONG(program[2].p_memsz, UINT32_MAX, "ends beyond the 65536 bytes")
    WRONG(program[2].p_vaddr, MOST, "ends beyond")
    WRONG(program[2].p_filesz, 3 * SPIN_PAGE, "12288 bytes at")
    WRONG(program[2].p_offset, sizeof f, "16 bytes at 16384")
    WRONG(program[1].p_flags, PF_R | PF_W | PF_X, "never both")
    WRONG(program[1].p_flags, PF_X, "readable")
    WRONG(program[1].p_flags, PF_R | PF_X | 8, "access 0xd")
    WRONG(program[3].p_type, PT_TLS, "threads")
    WRONG(program[3].p_type, PT_INTERP, "type 3")
    WRONG(program[3].p_vaddr, 0x3000, "dynamic section at 0x3000")
    WRONG(dynamic[3].d_tag, DT_NEEDED, "entry 0x1")
    WRONG(dynamic[3].d_tag, DT_INIT_ARRAY, "entry 0x19")
    WRONG(dynamic[3].d_tag, DT_TEXTREL, "entry 0x16")
    WRONG(dynamic[3].d_tag, DT_JMPREL, "entry 0x17")
    WRONG(dynamic[1].d_un.d_val, 13, "13 bytes of relocations")
    WRONG(dynamic[2].d_un.d_val, 8, "of 8 at")
    WRONG(dynamic[0].d_un.d_val, SPIN_PAGE - 12, "not in a segment")
    WRONG(relocations[1].r_info, ELF32_R_INFO(0, R_X86_64_64), "relocation 1 has the type 0x1")
    WRONG(relocations[1].r_info, ELF32_R_INFO(1, R_X86_64_RELATIVE), "relocation 1 has the type 0x108")
    WRONG(relocations[1].r_info, ELF32_R_INFO(0, R_X86_64_IRELATIVE), "type 0x25")
    WRONG(relocations[2].r_offset, 0x1000, "relocation 2 at 0x1000")
    WRONG(relocations[2].r_offset, 0x3ffd, "relocation 2 at 0x3ffd")
    WRONG(magic, 1, "mark 0x1")
    WRONG(version, 9, "version 9")
    WRONG(call_count, 1, "table of calls")
    WRONG(relocations[0].r_addend, 0x1000, "table of calls")
    WRONG(relocations[0].r_addend, 4, "table of calls")
    WRONG(host_data_size, 1, "__host_data")
    WRONG(relocations[1].r_addend, 0x2800, "__host_data")
    WRONG(relocations[1].r_addend, 0x4000, "__host_data")
    WRONG(relocations[2].r_addend, 0x2000, "beginning")
    WRONG(relocations[2].r_addend, -1, "beginning")
    WRONG(relocations[3].r_addend, 0, "handlers")
    WRONG(relocations[3].r_addend, 0x2012, "handlers")
#undef WRONG
}

static void refuses_a_stack_that_is_executable(void)
{
    make();
    f.program[3] = (Elf32_Phdr){.p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W | PF_X};
    CHECK_EQ(-EINVAL, try(&f, sizeof f));
    CHECK(strstr(why, "stack"));
}

static void refuses_every_part_of_a_file(void)
{
    make();
    for (size_t length = 0; length < sizeof f; length += length < 256 ? 1 : 61)
        if (length < 0x3010)
            CHECK_EQ(-EINVAL, try(&f, length));
}

/* Reads and placing stay within file and memory whatever the bytes are: the sanitizers watch. */
static void survives_any_bytes(void)
{
    uint64_t seed = 23;
    uint32_t accepted = 0;
    for (int round = 0; round < 20000; round++) {
        make();
        for (int n = 1 + (int)(test_random(&seed) % 3); n; n--) {
            uint64_t r = test_random(&seed);
            uint8_t *part = r & 1 ? f.first : f.relocated;
            uint32_t span = r & 1 ? sizeof f.header + sizeof f.program : place_of(f.relocations + RELOCATIONS);
            uint8_t *byte = part + (r >> 8) % span;
            *byte = r & 2 ? (uint8_t)(r >> 32) : (uint8_t)(*byte ^ 1u << (r >> 32) % 8);
        }
        int code = try(&f, sizeof f);
        CHECK(code == 0 || (code == -EINVAL && why[0]));
        accepted += code == 0;
    }
    CHECK(accepted > 100 && accepted < 19900);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(accepts_what_is_right),           TEST(copies_and_fills_with_zeros),
                                        TEST(names_the_field),                 TEST(refuses_a_stack_that_is_executable),
                                        TEST(refuses_every_part_of_a_file),    TEST(survives_any_bytes)};
    return run_tests("spin_image", tests, sizeof tests / sizeof *tests, argc, argv);
}
