#define _GNU_SOURCE
#include "link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buildlog.h"
#include "errors.h"
#include "scan.h"
#include "scan_include.h"

#define MOST_TEXTS 512u /* that an #include may name */
#define ARG_INFO "-cl-kernel-arg-info"

struct link {
    cl_program texts[MOST_TEXTS];
    const char *names[MOST_TEXTS];
    uint32_t count;
    cl_program objects[ISLE_SOURCE_FILES]; /* of the files that were compiled so far */
};

static uint32_t all_files(const struct origin *o)
{
    return o->file_count + o->header_count;
}

static const isle_source_file *file_at(const struct origin *o, uint32_t i)
{
    return i < o->file_count ? &o->files[i] : &o->headers[i - o->file_count];
}

static bool has_name(const struct link *l, const char *name)
{
    for (uint32_t i = 0; i < l->count; i++)
        if (!strcmp(l->names[i], name))
            return true;
    return false;
}

static cl_int add_text(struct device *d, struct context *c, struct link *l, const char *name, uint32_t count, const char **parts, const size_t *lengths)
{
    cl_int rc;
    if (l->count == MOST_TEXTS)
        return CL_INVALID_VALUE;
    l->texts[l->count] = d->cl->CreateProgramWithSource(c->cl, count, parts, lengths, &rc);
    if (!rc)
        l->names[l->count++] = name;
    return rc;
}

/* Its first line gives it its own name: a library may keep it in a file of another one. */
static cl_int add_file(struct device *d, struct context *c, struct link *l, const isle_source_file *f)
{
    char line[ISLE_FILE_NAME + 16];
    const size_t mark = f->length >= 3 && !memcmp(f->text, "\xef\xbb\xbf", 3) ? 3 : 0; /* of UTF-8, good at the beginning alone */
    int n = snprintf(line, sizeof line, "#line 1 \"%s\"\n", f->name);
    const char *parts[] = {line, (const char *)f->text + mark};
    const size_t lengths[] = {(size_t)n, f->length - mark};
    return add_text(d, c, l, f->name, lengths[1] ? 2 : 1, parts, lengths);
}

/* Options -I name folders among the files, which no library knows: under the names from there on stand texts that include the files. */
static cl_int add_forwards(struct device *d, const struct origin *o, struct link *l)
{
    struct include_folders folders;
    char text[ISLE_FILE_NAME + 16];
    cl_int rc = CL_SUCCESS;
    include_folders(o->options, &folders);
    for (uint32_t f = 0; f < folders.count; f++) {
        size_t n = strlen(folders.at[f]);
        for (uint32_t i = 0; n && i < all_files(o) && !rc; i++) {
            const char *name = file_at(o, i)->name;
            if (strncmp(name, folders.at[f], n) || name[n] != '/' || has_name(l, name + n + 1))
                continue;
            const char *part = text;
            size_t length = (size_t)snprintf(text, sizeof text, "#include \"%s\"\n", name);
            rc = add_text(d, o->context, l, name + n + 1, 1, &part, &length);
        }
    }
    return rc;
}

static cl_int begin(struct device *d, struct origin *o, char *log, uint64_t log_size)
{
    cl_int rc = CL_SUCCESS;
    if (o->link)
        return rc;
    struct link *l = o->link = calloc(1, sizeof *l);
    if (!l)
        return CL_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < all_files(o) && !rc; i++)
        rc = add_file(d, o->context, l, file_at(o, i));
    if (!rc)
        rc = add_forwards(d, o, l);
    if (!rc)
        return rc;
    if (l->count == MOST_TEXTS)
        log_line(log, log_size, "isle: options -I give the files more than %u names", MOST_TEXTS);
    else
        log_line(log, log_size, "isle: the device does not take the files, OpenCL error %d", rc);
    link_free(d, o);
    return rc;
}

void link_free(struct device *d, struct origin *o)
{
    struct link *l = o->link;
    for (uint32_t i = 0; l && i < l->count; i++)
        d->cl->ReleaseProgram(l->texts[i]);
    for (uint32_t i = 0; l && i < ISLE_SOURCE_FILES; i++)
        if (l->objects[i])
            d->cl->ReleaseProgram(l->objects[i]);
    free(l);
    o->link = NULL;
}

/* Included, a file finds the others from where it stands itself. */
static cl_int compile(struct device *d, const struct origin *o, uint32_t file, const struct appendix *behind, char *log, uint64_t log_size,
                      cl_program *out)
{
    const struct link *l = o->link;
    char line[ISLE_FILE_NAME + 16];
    int n = snprintf(line, sizeof line, "#include \"%s\"\n", o->files[file].name);
    const char *parts[] = {line, behind ? behind->text : NULL};
    const size_t lengths[] = {(size_t)n, behind ? behind->length : 0};
    cl_int rc;
    cl_program object = d->cl->CreateProgramWithSource(o->context->cl, behind ? 2 : 1, parts, lengths, &rc);
    if (rc)
        return rc;
    rc = d->cl->CompileProgram(object, 1, &d->id, o->options, l->count, l->texts, (const char **)l->names, NULL, NULL);
    log_build(d, object, log, log_size);
    if (rc) {
        log_line(log, log_size, "isle: file %s cannot be compiled, OpenCL error %d", o->files[file].name, rc);
        d->cl->ReleaseProgram(object);
        return rc;
    }
    *out = object;
    return rc;
}

/* Of the build options those that a linker takes, too. */
static void linker_options(const char *options, char *out, size_t size)
{
    static const char *const taken[] = {"-cl-denorms-are-zero",  "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations",
                                        "-cl-finite-math-only", "-cl-fast-relaxed-math"};
    size_t used = (size_t)snprintf(out, size, ARG_INFO);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        const char *at = strstr(options, taken[i]);
        char after = at ? at[strlen(taken[i])] : 'x';
        if ((!after || after == ' ' || after == '\t') && at > options && at[-1] == ' ')
            used += (size_t)snprintf(out + used, size - used, " %s", taken[i]);
    }
}

/* Where the library does not say it, the texts may. */
static void explain(const struct origin *o, char *log, uint64_t log_size)
{
    char lines[4096] = "";
    struct scan *s = origin_scan(o);
    if (s)
        scan_links(s, o->file_count, lines, sizeof lines);
    scan_free(s);
    log_line(log, log_size, "%s", *lines ? lines : "Often two files define the same function, or no file defines a function that is declared");
}

/* What a linker does not take is left out step by step. */
static cl_int link_objects(struct device *d, const struct origin *o, const cl_program *objects, char *log, uint64_t log_size, cl_program *out)
{
    char all[256];
    const char *const tries[] = {all, ARG_INFO, ""};
    cl_int rc = CL_INVALID_LINKER_OPTIONS;
    linker_options(o->options, all, sizeof all);
    for (size_t i = 0; i < sizeof tries / sizeof tries[0] && rc == CL_INVALID_LINKER_OPTIONS; i++) {
        *out = d->cl->LinkProgram(o->context->cl, 1, &d->id, tries[i], o->file_count, objects, NULL, NULL, &rc);
        if (!rc || !*out)
            continue;
        if (rc != CL_INVALID_LINKER_OPTIONS)
            log_build(d, *out, log, log_size);
        d->cl->ReleaseProgram(*out);
    }
    if (!rc)
        return rc;
    *out = NULL;
    log_line(log, log_size, "isle: the files cannot be linked, OpenCL error %d", rc);
    if (rc == CL_LINK_PROGRAM_FAILURE || rc == CL_BUILD_PROGRAM_FAILURE)
        explain(o, log, log_size);
    return rc;
}

IoResultCode link_files(struct device *d, struct origin *o, const struct appendix *behind, char *log, uint64_t log_size, cl_program *out)
{
    cl_program objects[ISLE_SOURCE_FILES], own = NULL;
    cl_int rc = begin(d, o, log, log_size);
    for (uint32_t i = 0; i < o->file_count && !rc; i++) {
        if (behind && behind->file == i) {
            rc = compile(d, o, i, behind, log, log_size, &own);
            objects[i] = own;
            continue;
        }
        if (!o->link->objects[i])
            rc = compile(d, o, i, NULL, log, log_size, &o->link->objects[i]);
        objects[i] = o->link->objects[i];
    }
    if (!rc)
        rc = link_objects(d, o, objects, log, log_size, out);
    if (own)
        d->cl->ReleaseProgram(own);
    return cl_result(d, rc);
}
