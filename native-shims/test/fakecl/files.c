/* Compiling and linking: a file is what its #include lines name, with what stands behind them; "bad" in one of those is an error there. As
 * libraries do, the linker takes one option only. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

static void append(char **to, const char *text, size_t length)
{
    size_t n = *to ? strlen(*to) : 0;
    *to = realloc(*to, n + length + 1);
    memcpy(*to + n, text, length);
    (*to)[n + length] = 0;
}

/* The program with the text that the line at `at` includes; its name. */
static cl_program included(const char *at, cl_uint n, const cl_program *headers, const char **names, char name[300])
{
    if (sscanf(at, "#include \"%255[^\"]\"", name) != 1)
        return NULL;
    for (cl_uint i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return headers[i];
    return NULL;
}

API cl_int clCompileProgram(cl_program p, cl_uint n, const cl_device_id *d, const char *o, cl_uint header_count, const cl_program *headers,
                            const char **names, void (*f)(cl_program, void *), void *user);
cl_int clCompileProgram(cl_program p, cl_uint n, const cl_device_id *d, const char *o, cl_uint header_count, const cl_program *headers,
                        const char **names, void (*f)(cl_program, void *), void *user)
{
    (void)n, (void)d, (void)f, (void)user;
    char *all = calloc(1, 1), name[300];
    control.compiled++;
    control.includes[0] = control.options[0] = 0;
    strncat(control.options, o, sizeof control.options - 1);
    for (cl_uint i = 0; i < header_count; i++) {
        strncat(control.includes, " ", sizeof control.includes - strlen(control.includes) - 1);
        strncat(control.includes, names[i], sizeof control.includes - strlen(control.includes) - 1);
    }
    for (char *at = p->source; *at && !p->log;) {
        size_t length = strcspn(at, "\n");
        cl_program header = included(at, header_count, headers, names, name);
        const char *bad = header ? strstr(header->source, "bad") : NULL;
        if (bad && asprintf(&p->log, "error: %s:1:%d: bad is not a statement\n", name, (int)(bad - header->source) + 1) < 0)
            abort();
        append(&all, header ? header->source : at, header ? strlen(header->source) : length);
        append(&all, "\n", 1);
        at += length + (at[length] == '\n');
    }
    free(p->source);
    p->source = all;
    return p->log || !strstr(o, "-cl-kernel-arg-info") ? CL_COMPILE_PROGRAM_FAILURE : CL_SUCCESS;
}

API cl_program clLinkProgram(cl_context c, cl_uint n, const cl_device_id *d, const char *o, cl_uint count, const cl_program *objects,
                             void (*f)(cl_program, void *), void *user, cl_int *rc);
cl_program clLinkProgram(cl_context c, cl_uint n, const cl_device_id *d, const char *o, cl_uint count, const cl_program *objects,
                         void (*f)(cl_program, void *), void *user, cl_int *rc)
{
    (void)c, (void)n, (void)d, (void)f, (void)user;
    *rc = control.link_code ? control.link_code : strcmp(o, "-cl-kernel-arg-info") ? CL_INVALID_LINKER_OPTIONS : CL_SUCCESS;
    if (*rc)
        return NULL;
    control.linked++;
    control.link_options[0] = 0;
    strncat(control.link_options, o, sizeof control.link_options - 1);
    cl_program p = make(sizeof *p);
    for (cl_uint i = 0; i < count; i++)
        append(&p->source, objects[i]->source, strlen(objects[i]->source));
    return p;
}
