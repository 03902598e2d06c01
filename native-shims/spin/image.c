#include "image.h"

#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Entries of the dynamic section that ask nothing of a loader; those of relocations are read. */
static const uint32_t harmless[] = {DT_HASH,     DT_STRTAB,   DT_SYMTAB,  DT_STRSZ,    DT_SYMENT,  DT_DEBUG,
                                    DT_GNU_HASH, DT_RELACOUNT, DT_FLAGS_1, DT_FLAGS,    DT_PLTGOT};

__attribute__((format(printf, 2, 3))) static int refuse(char why[SPIN_WHY], const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(why, SPIN_WHY, format, values);
    va_end(values);
    return -EINVAL;
}

static bool within(uint64_t offset, uint64_t bytes, uint64_t length)
{
    return offset <= length && bytes <= length - offset;
}

static int read_header(const uint8_t *file, size_t length, Elf32_Ehdr *h, char *why)
{
    if (length < sizeof *h)
        return refuse(why, "the file has %zu bytes, its header alone %zu", length, sizeof *h);
    memcpy(h, file, sizeof *h);
    if (memcmp(h->e_ident, ELFMAG, SELFMAG))
        return refuse(why, "it does not begin as an ELF file");
    if (h->e_ident[EI_CLASS] != ELFCLASS32 || h->e_ident[EI_DATA] != ELFDATA2LSB || h->e_machine != EM_X86_64)
        return refuse(why, "class %u, byte order %u, machine %u: not code for x86-64 with pointers of 32 bits", h->e_ident[EI_CLASS],
                      h->e_ident[EI_DATA], h->e_machine);
    if (h->e_ident[EI_VERSION] != EV_CURRENT || h->e_version != EV_CURRENT)
        return refuse(why, "ELF version %u, not %u", h->e_version, EV_CURRENT);
    if (h->e_type != ET_DYN)
        return refuse(why, "type %u: only a program without a fixed address (%u) can be placed", h->e_type, ET_DYN);
    if (h->e_phentsize != sizeof(Elf32_Phdr) || !h->e_phnum || h->e_phnum > 16)
        return refuse(why, "%u program headers of %u bytes: there are 1 to 16, of %zu bytes", h->e_phnum, h->e_phentsize, sizeof(Elf32_Phdr));
    if (!within(h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf32_Phdr), length))
        return refuse(why, "the program headers at %u are not in the file of %zu bytes", h->e_phoff, length);
    return 0;
}

static int read_segment(struct spin_image *out, const Elf32_Phdr *p, size_t length, uint32_t most, char *why)
{
    if (!p->p_memsz)
        return 0;
    if (out->segment_count == SPIN_SEGMENTS)
        return refuse(why, "more than %u segments", SPIN_SEGMENTS);
    if (p->p_vaddr % SPIN_PAGE || p->p_vaddr < out->size)
        return refuse(why, "the segment at %#x does not begin a page behind the one before", p->p_vaddr);
    if (!within(p->p_vaddr, p->p_memsz, most))
        return refuse(why, "the segment at %#x, of %u bytes, ends beyond the %u bytes of program memory", p->p_vaddr, p->p_memsz, most);
    if (p->p_filesz > p->p_memsz || !within(p->p_offset, p->p_filesz, length))
        return refuse(why, "the segment at %#x has %u bytes at %u of the file, which has %zu", p->p_vaddr, p->p_filesz, p->p_offset, length);
    if (p->p_flags & ~(uint32_t)(PF_R | PF_W | PF_X) || !(p->p_flags & PF_R) || (p->p_flags & PF_W && p->p_flags & PF_X))
        return refuse(why, "the segment at %#x has the access %#x: it is readable, and never both writable and executable", p->p_vaddr,
                      p->p_flags);
    out->segments[out->segment_count++] = (struct spin_segment){.address = p->p_vaddr,
                                                                .size = p->p_memsz,
                                                                .offset = p->p_offset,
                                                                .bytes = p->p_filesz,
                                                                .writable = p->p_flags & PF_W,
                                                                .executable = p->p_flags & PF_X};
    out->size = (p->p_vaddr + p->p_memsz + SPIN_PAGE - 1) & ~(SPIN_PAGE - 1);
    return 0;
}

/* Where bytes of memory lie in the file; -1: not wholly there. */
static int64_t in_file(const struct spin_image *image, uint32_t address, uint32_t length)
{
    const struct spin_segment *s = spin_image_segment(image, address, length);
    return s && within(address - s->address, length, s->bytes) ? (int64_t)s->offset + (address - s->address) : -1;
}

static bool is_harmless(uint32_t tag)
{
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (harmless[i] == tag)
            return true;
    return false;
}

static int read_dynamic(struct spin_image *out, const Elf32_Phdr *p, char *why)
{
    uint32_t table = 0, bytes = 0, each = sizeof(Elf32_Rela);
    int64_t at = in_file(out, p->p_vaddr, p->p_filesz);
    if (at < 0)
        return refuse(why, "the dynamic section at %#x is not in a segment", p->p_vaddr);
    for (uint32_t i = 0; i < p->p_filesz / sizeof(Elf32_Dyn); i++) {
        Elf32_Dyn d;
        memcpy(&d, out->file + at + i * sizeof d, sizeof d);
        if (d.d_tag == DT_NULL)
            break;
        else if (d.d_tag == DT_RELA)
            table = d.d_un.d_val;
        else if (d.d_tag == DT_RELASZ)
            bytes = d.d_un.d_val;
        else if (d.d_tag == DT_RELAENT)
            each = d.d_un.d_val;
        else if (!is_harmless((uint32_t)d.d_tag))
            return refuse(why, "entry %#x of the dynamic section: it must need no libraries and nothing else of a loader", (uint32_t)d.d_tag);
    }
    if (!bytes)
        return 0;
    if (each != sizeof(Elf32_Rela) || bytes % sizeof(Elf32_Rela) || (at = in_file(out, table, bytes)) < 0)
        return refuse(why, "%u bytes of relocations of %u at %#x are not in a segment", bytes, each, table);
    out->relocations = (uint32_t)at;
    out->relocation_count = bytes / (uint32_t)sizeof(Elf32_Rela);
    return 0;
}

/* Only those that add the base, and none in code. */
static int check_relocations(const struct spin_image *image, char *why)
{
    for (uint32_t i = 0; i < image->relocation_count; i++) {
        Elf32_Rela r;
        memcpy(&r, image->file + image->relocations + i * sizeof r, sizeof r);
        const struct spin_segment *s = spin_image_segment(image, r.r_offset, sizeof(uint32_t));
        if (r.r_info != ELF32_R_INFO(0, R_X86_64_RELATIVE))
            return refuse(why, "relocation %u has the type %#x: only relative ones (%#x) can be", i, r.r_info, R_X86_64_RELATIVE);
        if (!s || s->executable)
            return refuse(why, "relocation %u at %#x is not in data", i, r.r_offset);
    }
    return 0;
}

int spin_image_read(struct spin_image *out, const uint8_t *file, size_t length, uint32_t most, char why[SPIN_WHY])
{
    Elf32_Ehdr header;
    Elf32_Phdr dynamic = {0};
    int code = read_header(file, length, &header, why);
    memset(out, 0, sizeof *out);
    out->file = file;
    for (uint32_t i = 0; !code && i < header.e_phnum; i++) {
        Elf32_Phdr p;
        memcpy(&p, file + header.e_phoff + i * sizeof p, sizeof p);
        if (p.p_type == PT_LOAD)
            code = read_segment(out, &p, length, most, why);
        else if (p.p_type == PT_DYNAMIC)
            dynamic = p;
        else if (p.p_type == PT_GNU_STACK && p.p_flags & PF_X)
            code = refuse(why, "it asks for a stack that is executable");
        else if (p.p_type == PT_INTERP || p.p_type == PT_TLS)
            code = refuse(why, "program header %u has the type %u: it must need no loader and have no variables of threads", i, p.p_type);
    }
    if (!code && dynamic.p_filesz)
        code = read_dynamic(out, &dynamic, why);
    if (!code)
        code = check_relocations(out, why);
    out->entry = code ? 0 : header.e_entry;
    return code;
}

const struct spin_segment *spin_image_segment(const struct spin_image *image, uint32_t address, uint32_t length)
{
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const struct spin_segment *s = &image->segments[i];
        if (address >= s->address && within(address - s->address, length, s->size))
            return s;
    }
    return NULL;
}
