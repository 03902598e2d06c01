/*
 * The software device with a compiler, for tests: a kernel of OpenCL C that has the name of a builtin program becomes that one. Its first
 * line may be "// sum N": then the bytes behind it must add up to N, so that a test sees a source arrive whole; or "// full log": then the
 * build fails with as long a log as there is room for; or "// launch only": then no dispatch can run the kernel. Of several files, the first
 * one has the kernel; "// sum N" holds for each of them, and what they include must be among them.
 */
#define _GNU_SOURCE
#define soft_programs soft_builtin_programs
#include "../../softaccel/programs.c"
#undef soft_programs

#include <stdio.h>
#include <stdlib.h>

#define SPIRV_MAGIC 0x07230203u
#define LAUNCH_ONLY (1ull << 63) /* in handles of programs */

static bool whole(const uint8_t *source, uint64_t length)
{
    static const char mark[] = "// sum ";
    const uint8_t *end = memchr(source, '\n', length);
    if (!end || (uint64_t)(end - source) < sizeof mark || memcmp(source, mark, sizeof mark - 1))
        return true;
    uint64_t sum = 0;
    for (const uint8_t *at = end + 1; at < source + length; at++)
        sum += *at;
    return sum == strtoull((const char *)source + sizeof mark - 1, NULL, 10);
}

/* The name behind the first "kernel void"; false when there is none. */
static bool kernel_name(const uint8_t *source, uint64_t length, char name[64])
{
    static const char mark[] = "kernel void ";
    const uint8_t *at = memmem(source, length, mark, sizeof mark - 1);
    if (!at)
        return false;
    const uint8_t *end = source + length;
    size_t n = 0;
    for (at += sizeof mark - 1; at < end && *at != '(' && n < 63; at++)
        name[n++] = (char)*at;
    name[n] = 0;
    return at < end && *at == '(';
}

static IoResultCode compile(void *ctx, AccelContextHandle context, const uint8_t *source, uint64_t length, char *log, uint64_t log_size,
                            isle_program_handle *out)
{
    static const char full[] = "// full log", launch[] = "// launch only";
    char name[64];
    if (length >= sizeof full - 1 && !memcmp(source, full, sizeof full - 1)) {
        memset(log, 'x', log_size); /* without an end */
        return -EINVAL;
    }
    if (!whole(source, length)) {
        say(log, log_size, "line 1: error: the bytes do not add up");
        return -EINVAL;
    }
    if (!kernel_name(source, length, name)) {
        say(log, log_size, "line 1: error: no kernel\n\x1b[31mline 2: error: \x01 nor here");
        return -EINVAL;
    }
    IoResultCode rc = load(ctx, context, ISLE_PROGRAM_BUILTIN, (const uint8_t *)name, strlen(name), log, log_size, out);
    if (rc == -ENOENT)
        snprintf(log, log_size, "kernel %s: error: no such instruction", name);
    if (!rc && length >= sizeof launch - 1 && !memcmp(source, launch, sizeof launch - 1))
        *out |= LAUNCH_ONLY;
    return rc == -ENOENT ? -EINVAL : rc;
}

static IoResultCode unload_any(void *ctx, isle_program_handle program)
{
    return unload(ctx, program & ~LAUNCH_ONLY);
}

static IoResultCode describe_any(void *ctx, isle_program_handle program, uint32_t entry, isle_program_entry *out)
{
    return program & LAUNCH_ONLY ? -ENOENT : describe(ctx, program, entry, out);
}

static IoResultCode build(void *ctx, AccelContextHandle context, uint32_t kind, const uint8_t *source, uint64_t length, const char *options,
                          char *log, uint64_t log_size, isle_program_handle *out)
{
    uint32_t magic = 0;
    say(log, log_size, "");
    if (*options && strncmp(options, "-D", 2) != 0) {
        snprintf(log, log_size, "error: unknown option %.100s", options);
        return -EINVAL;
    }
    switch (kind) {
    case ISLE_PROGRAM_OPENCL_C:
        return compile(ctx, context, source, length, log, log_size, out);
    case ISLE_PROGRAM_SPIRV:
        memcpy(&magic, source, length < sizeof magic ? length : sizeof magic);
        if (magic == SPIRV_MAGIC)
            return load(ctx, context, ISLE_PROGRAM_BUILTIN, (const uint8_t *)"noop", 4, log, log_size, out);
        say(log, log_size, "error: no SPIR-V module");
        return -EINVAL;
    default:
        return load(ctx, context, kind, source, length, log, log_size, out);
    }
}

static IoResultCode load_any(void *ctx, AccelContextHandle context, uint32_t kind, const uint8_t *source, uint64_t length, char *log,
                             uint64_t log_size, isle_program_handle *out)
{
    return build(ctx, context, kind, source, length, "", log, log_size, out);
}

static bool is_named(const isle_source_file *f, const char *name)
{
    size_t n = strlen(f->name), length = strlen(name);
    return n >= length && !strcmp(f->name + n - length, name) && (n == length || f->name[n - length - 1] == '/');
}

/* The line behind which all is well; 0: all is. Each #include must name one of the files, wherever that stands, and each } close a {. */
static uint32_t wrong_line(const isle_source_file *f, const isle_source_file *const lists[2], const uint32_t counts[2], char missing[64])
{
    int depth = 0;
    uint32_t line = 1;
    for (uint64_t i = 0; i < f->length; i++) {
        char text[80] = "", name[64] = "";
        bool known = false;
        depth += (f->text[i] == '{') - (f->text[i] == '}');
        line += f->text[i] == '\n';
        if (depth < 0)
            return line;
        if ((i && f->text[i - 1] != '\n') || f->text[i] != '#')
            continue;
        memcpy(text, f->text + i, f->length - i < sizeof text - 1 ? f->length - i : sizeof text - 1);
        if (sscanf(text, "#include \"%63[^\"]", name) != 1)
            continue;
        const char *plain = name;
        while (!strncmp(plain, "../", 3))
            plain += 3;
        for (uint32_t k = 0; k < counts[0] + counts[1]; k++)
            known |= is_named(k < counts[0] ? &lists[0][k] : &lists[1][k - counts[0]], plain);
        if (known)
            continue;
        memcpy(missing, name, sizeof name);
        return line;
    }
    return 0;
}

static IoResultCode sources(void *ctx, AccelContextHandle context, const isle_source_file *files, uint32_t file_count,
                            const isle_source_file *headers, uint32_t header_count, const char *options, char *log, uint64_t log_size,
                            isle_program_handle *out)
{
    const isle_source_file *const lists[] = {files, headers};
    const uint32_t counts[] = {file_count, header_count};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < counts[k]; i++) {
            const isle_source_file *f = &lists[k][i];
            char missing[64] = "";
            uint32_t line = wrong_line(f, lists, counts, missing);
            if (line) {
                snprintf(log, log_size, "%s:%u:1: error: %s", f->name, line, *missing ? missing : "a } without its {");
                return -EINVAL;
            }
            if (!whole(f->text, f->length)) {
                snprintf(log, log_size, "%s:1:1: error: the bytes do not add up", f->name);
                return -EINVAL;
            }
        }
    return build(ctx, context, ISLE_PROGRAM_OPENCL_C, files[0].text, files[0].length, options, log, log_size, out);
}

const isle_programs_vtable soft_programs = {.vtable_size = sizeof soft_programs,
                                            .version = ISLE_KABI_VERSION,
                                            .kinds = 1u << ISLE_PROGRAM_BUILTIN | 1u << ISLE_PROGRAM_OPENCL_C | 1u << ISLE_PROGRAM_SPIRV,
                                            .load = load_any,
                                            .unload = unload_any,
                                            .describe = describe_any,
                                            .builtin = builtin,
                                            .build = build,
                                            .sources = sources};
