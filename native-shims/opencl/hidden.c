/*
 * A typedef or a structure hides how large an argument is, and some libraries take any size; behind a pointer it hides what the elements of
 * a buffer are. So the compiler is asked, behind the file that the kernel is in: another file may mean something else by the same name.
 */
#define _GNU_SOURCE
#include "hidden.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "question.h"
#include "types.h"

/* Of a file with types that the compiler does not know: enough to find four among 256. */
#define MOST_BUILDS 64u

/* What is known of one argument. */
struct finding {
    struct answer answer;
    bool contrary; /* files differ */
};

struct search {
    struct device *device;
    struct program *program;
    struct origin *origin;
    uint64_t *files; /* of each kernel, those that it may be in */
    struct finding (*findings)[ISLE_LAUNCH_ARGS];
    struct question question, part;
};

static bool is_value(const isle_kernel *k, uint32_t i)
{
    return !*k->unusable && !k->args[i].kind;
}

static bool is_pointer(const isle_kernel *k, uint32_t i)
{
    const isle_kernel_arg *a = &k->args[i];
    return !*k->unusable && (a->kind == ISLE_ARG_BUFFER || a->kind == ISLE_ARG_LOCAL) && !a->bytes;
}

/* The name of a type in front of one star; false for pointers to pointers, to void and to what has no name. */
static bool pointed(const char *type, char to[QUESTION_TYPE])
{
    size_t n = strcspn(type, "*");
    if (strcmp(type + n, "*"))
        return false;
    while (n && type[n - 1] == ' ')
        n--;
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)type[i]) && type[i] != '_' && type[i] != ' ')
            return false;
    snprintf(to, QUESTION_TYPE, "%.*s", (int)n, type);
    return n && n < QUESTION_TYPE && strcmp(to, "void");
}

/* The type behind which something is hidden; false where nothing is. */
static bool hides(const isle_kernel *k, uint32_t i, char to[QUESTION_TYPE])
{
    if (is_value(k, i))
        snprintf(to, QUESTION_TYPE, "%s", k->args[i].type);
    return is_value(k, i) || (is_pointer(k, i) && pointed(k->args[i].type, to));
}

/* One of several, or not known: it may be in any. */
static void find_files(struct search *s, struct scan *scan)
{
    const uint32_t count = s->origin->file_count;
    const uint64_t all = count == 64 ? UINT64_MAX : (1ull << count) - 1;
    for (uint32_t i = 0; i < s->program->count; i++) {
        uint64_t found = scan && count > 1 ? scan_texts_of(scan, s->program->entries[i].told->name) : 0;
        s->files[i] = found && !(found & ~all) ? found : all;
    }
}

static bool is_in(uint64_t files, uint32_t file, bool alone)
{
    return files >> file & 1 && alone == !(files & (files - 1));
}

static void note(struct finding *f, const struct answer *a)
{
    f->contrary |= f->answer.bytes && (f->answer.bytes != a->bytes || f->answer.plain != a->plain);
    f->answer = *a;
}

/*
 * Answers to the types from `from` to `to` of a question. Where the compiler takes them together it is asked once; else each half is asked
 * alone, until the types are found that it does not know: these have no answer.
 */
static void ask_some(struct search *s, uint32_t file, uint32_t from, uint32_t to, uint32_t *builds)
{
    struct question *all = &s->question, *some = &s->part;
    some->count = 0;
    for (uint32_t i = from; i < to; i++)
        question_add(some, all->types[i]);
    if (!*builds)
        return;
    --*builds;
    if (question_ask(s->device, s->origin, file, some)) {
        memcpy(&all->answers[from], some->answers, (to - from) * sizeof some->answers[0]);
    } else if (to - from > 1) {
        ask_some(s, file, from, from + (to - from) / 2, builds);
        ask_some(s, file, from + (to - from) / 2, to, builds);
    }
}

/* Asks in one file about the kernels that are in it alone, or about those that may be in others, too: of these, types may not be known. */
static void ask(struct search *s, uint32_t file, bool alone)
{
    struct question *q = &s->question;
    char type[QUESTION_TYPE];
    q->count = 0;
    for (uint32_t i = 0; i < s->program->count; i++) {
        const isle_kernel *k = s->program->entries[i].told;
        for (uint32_t a = 0; a < k->arg_count && is_in(s->files[i], file, alone); a++)
            if (hides(k, a, type))
                question_add(q, type);
    }
    if (!q->count)
        return;
    uint32_t builds = MOST_BUILDS;
    memset(q->answers, 0, sizeof q->answers);
    ask_some(s, file, 0, q->count, &builds);
    for (uint32_t i = 0; i < s->program->count; i++) {
        const isle_kernel *k = s->program->entries[i].told;
        for (uint32_t a = 0; a < k->arg_count && is_in(s->files[i], file, alone); a++) {
            uint32_t at = hides(k, a, type) ? question_find(q, type) : q->count;
            if (at < q->count && q->answers[at].bytes)
                note(&s->findings[i][a], &q->answers[at]);
        }
    }
}

/* Kind and bytes, with what an answer says of scalars and vectors; false for structures, and for names that mean something else. */
static bool is_plain(const struct answer *a, isle_kernel_arg *out)
{
    char name[16];
    if (!a->plain || a->plain > TYPES_PLAIN)
        return false;
    type_at(a->plain - 1, name, sizeof name, out);
    return out->bytes == a->bytes;
}

/* Elements of structures stay unknown, and so does what the compiler does not say: any buffer does. */
static void take_pointed(isle_kernel_arg *to, const struct finding *f)
{
    isle_kernel_arg plain;
    if (f->contrary || !is_plain(&f->answer, &plain))
        return;
    to->bytes = plain.bytes;
    to->element = plain.element;
    to->lanes = plain.lanes;
}

static void take(isle_kernel *k, uint32_t i, const struct finding *f)
{
    isle_kernel_arg *to = &k->args[i];
    if (f && f->contrary) {
        kernel_unusable(k, "argument %u (%s): files of the program mean different types by this name", i, to->type);
        return;
    }
    const struct answer *a = f ? &f->answer : NULL;
    if (!a || !a->bytes) {
        kernel_unusable(k, "argument %u (%s): the compiler does not say what type this is", i, to->type);
        return;
    }
    if (a->bytes > ISLE_LAUNCH_TAIL) {
        kernel_unusable(k, "argument %u (%s) has %u bytes, all together may have %u", i, to->type, a->bytes, ISLE_LAUNCH_TAIL);
        return;
    }
    to->kind = ISLE_ARG_BYTES;
    to->bytes = a->bytes;
    isle_kernel_arg plain;
    if (!is_plain(a, &plain))
        return;
    to->kind = plain.kind;
    to->element = plain.element;
    to->lanes = plain.lanes;
}

/* Together they must fit into the tail of a launch. */
static void check_sum(isle_kernel *k)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < k->arg_count; i++)
        sum += k->args[i].kind == ISLE_ARG_BYTES ? k->args[i].bytes : 0;
    if (sum > ISLE_LAUNCH_TAIL)
        kernel_unusable(k, "vectors and structures among its arguments have %u bytes, at most %u", sum, ISLE_LAUNCH_TAIL);
}

void hidden_types(struct device *d, struct program *p, struct origin *origin, struct scan *scan)
{
    struct search *s = calloc(1, sizeof *s);
    if (s)
        *s = (struct search){.device = d, .program = p, .origin = origin};
    if (s) {
        s->files = calloc(p->count, sizeof *s->files);
        s->findings = calloc(p->count, sizeof *s->findings);
    }
    bool room = s && s->files && s->findings;
    if (room && origin->kind == ISLE_PROGRAM_OPENCL_C) {
        find_files(s, scan);
        for (uint32_t i = 0; i < 2 * origin->file_count; i++)
            ask(s, i / 2, i % 2 == 0);
    }
    for (uint32_t i = 0; i < p->count; i++) {
        isle_kernel *k = p->entries[i].told;
        for (uint32_t a = 0; a < k->arg_count; a++) {
            if (is_value(k, a))
                take(k, a, room ? &s->findings[i][a] : NULL);
            else if (room && is_pointer(k, a))
                take_pointed(&k->args[a], &s->findings[i][a]);
        }
        check_sum(k);
    }
    if (s) {
        free(s->files);
        free(s->findings);
    }
    free(s);
}
