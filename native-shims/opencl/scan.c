/* What a kernel reaches by name. */
#include "scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan_parts.h"

bool scan_room(struct scan *s, void *array, uint32_t *room, uint32_t count, size_t size)
{
    void **at = array;
    if (s->no_memory)
        return false;
    if (count < *room)
        return true;
    uint32_t more = *room ? 2 * *room : 256;
    void *grown = more > *room ? realloc(*at, more * size) : NULL;
    if (!grown) {
        s->no_memory = true;
        return false;
    }
    *at = grown;
    *room = more;
    return true;
}

void scan_lost(struct scan *s, const char *format, ...)
{
    va_list args;
    if (*s->lost)
        return;
    va_start(args, format);
    int n = vsnprintf(s->lost, sizeof s->lost, format, args);
    va_end(args);
    uint32_t name = s->reading < SCAN_TEXTS ? s->file_words[s->reading] : SCAN_NONE;
    if (name != SCAN_NONE && s->words[name].text && n > 0 && (size_t)n < sizeof s->lost)
        snprintf(s->lost + n, sizeof s->lost - (size_t)n, ", in %s", s->words[name].text + 1);
}

uint32_t scan_word(struct scan *s, const char *text, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)text[i]) * 16777619u;
    uint32_t *first = &s->hashes[hash % SCAN_HASHES];
    for (uint32_t i = *first; i != SCAN_NONE; i = s->words[i].next)
        if (s->words[i].length == length && !memcmp(s->words[i].text, text, length))
            return i;
    char *copy = strndup(text, length);
    s->no_memory |= !copy;
    if (!scan_room(s, &s->words, &s->word_room, s->word_count, sizeof *s->words)) {
        free(copy);
        return 0;
    }
    s->words[s->word_count] =
        (struct word){.text = copy,
                      .length = (uint32_t)length,
                      .next = *first,
                      .first_macro = SCAN_NONE,
                      .first_piece = SCAN_NONE,
                      .class = copy ? scan_class(copy) : WORD_PLAIN};
    return *first = s->word_count++;
}

void scan_token(struct scan *s, struct tokens *to, struct token token)
{
    if (scan_room(s, &to->at, &to->room, to->count, sizeof *to->at))
        to->at[to->count++] = token;
}

uint32_t scan_part(struct scan *s, struct part part)
{
    if (!scan_room(s, &s->parts, &s->part_room, s->part_count, sizeof *s->parts))
        return 0;
    s->parts[s->part_count] = part;
    return s->part_count++;
}

void scan_name(struct scan *s, uint32_t word, uint32_t part)
{
    if (!scan_room(s, &s->owners, &s->owner_room, s->owner_count, sizeof *s->owners))
        return;
    uint32_t *first = s->parts[part].macro ? &s->words[word].first_macro : &s->words[word].first_piece;
    if (*first != SCAN_NONE && s->owners[*first].part == part)
        return;
    s->owners[s->owner_count] = (struct owner){.part = part, .next = *first};
    *first = s->owner_count++;
}

static void name_texts(struct scan *s)
{
    char name[INCLUDE_PATH];
    for (uint32_t i = 0; i < SCAN_TEXTS; i++) {
        s->file_words[i] = SCAN_NONE;
        if (i >= s->text_count || !s->texts[i].name)
            continue;
        snprintf(name, sizeof name, "\"%s", s->texts[i].name);
        s->file_words[i] = scan_word(s, name, strlen(name));
    }
}

struct scan *scan_read(const struct scan_text *texts, uint32_t count, const char *options)
{
    struct scan *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    for (uint32_t i = 0; i < SCAN_HASHES; i++)
        s->hashes[i] = SCAN_NONE;
    s->texts = texts;
    s->text_count = count < SCAN_TEXTS ? count : SCAN_TEXTS;
    s->reading = SCAN_NONE;
    if (count > SCAN_TEXTS)
        scan_lost(s, "more than %u files", SCAN_TEXTS);
    scan_word(s, "", 0);
    name_texts(s);
    include_folders(options, &s->folders);
    scan_options(s, options);
    for (uint32_t i = 0; i < s->text_count && !s->no_memory; i++) {
        struct tokens raw = {0};
        s->reading = i;
        scan_lex(s, texts[i].bytes, texts[i].length, (uint16_t)i, &raw);
        scan_lines(s, &raw, (uint16_t)i);
        free(raw.at);
    }
    s->reading = SCAN_NONE;
    scan_names(s);
    scan_include_names(s);
    s->texts = NULL;
    if (s->no_memory) {
        scan_free(s);
        return NULL;
    }
    return s;
}

void scan_free(struct scan *s)
{
    for (uint32_t i = 0; s && i < s->word_count; i++)
        free(s->words[i].text);
    if (!s)
        return;
    free(s->words);
    free(s->code.at);
    free(s->bodies.at);
    free(s->parts);
    free(s->owners);
    free(s->stack);
    free(s);
}

void scan_push(struct scan *s, uint32_t word)
{
    if (s->words[word].seen == s->turn || !scan_room(s, &s->stack, &s->stack_room, s->stack_count, sizeof *s->stack))
        return;
    s->words[word].seen = s->turn;
    s->stack[s->stack_count++] = word;
}

/* Whether the token at `i` is a use; else what it names is reached. */
static bool is_use(struct scan *s, const struct tokens *all, uint32_t i, uint32_t to)
{
    const struct token *t = &all->at[i];
    if (t->kind != TOKEN_WORD)
        return t->kind == TOKEN_PASTE;
    uint8_t class = s->words[t->word].class;
    if (class == WORD_USER || (class == WORD_USER_CALLED && i + 1 < to && is_sign(t + 1, '(')))
        return true;
    scan_push(s, t->word);
    return false;
}

/* A text that is included in the middle of a function has a name with a quote before it. */
static void say(const struct scan *s, const struct part *p, const struct token *t, uint32_t by, char *found, size_t size)
{
    const char *use = t->kind == TOKEN_PASTE ? "##" : s->words[t->word].text, *name = s->words[by].text;
    uint32_t file = t->file < SCAN_TEXTS ? s->file_words[t->file] : SCAN_NONE;
    if (p->option)
        snprintf(found, size, "%.48s in the build options", use);
    else if (file == SCAN_NONE)
        snprintf(found, size, "%.48s in %s %.64s, line %u", use, p->macro ? "macro" : "function", name, t->line);
    else if (*name == '"')
        snprintf(found, size, "%.48s in %.64s, line %u", use, s->words[file].text + 1, t->line);
    else
        snprintf(found, size, "%.48s in %s %.48s, %.64s line %u", use, p->macro ? "macro" : "function", name, s->words[file].text + 1, t->line);
}

static bool look_into(struct scan *s, struct part *p, uint32_t by, char *found, size_t size)
{
    const struct tokens *all = p->macro ? &s->bodies : &s->code;
    p->seen = s->turn;
    for (uint32_t i = p->from; i < p->to; i++) {
        if (!is_use(s, all, i, p->to))
            continue;
        say(s, p, &all->at[i], by, found, size);
        return true;
    }
    return false;
}

/* In what the word names; `first` of a list of it. */
static bool look_into_all(struct scan *s, uint32_t first, uint32_t word, char *found, size_t size)
{
    for (uint32_t i = first; i != SCAN_NONE; i = s->owners[i].next) {
        struct part *p = &s->parts[s->owners[i].part];
        if (p->seen != s->turn && look_into(s, p, word, found, size))
            return true;
    }
    return false;
}

uint64_t scan_texts_of(struct scan *s, const char *kernel)
{
    uint64_t all = 0;
    uint32_t word = scan_word(s, kernel, strlen(kernel));
    for (uint32_t i = *s->lost ? SCAN_NONE : s->words[word].first_piece; i != SCAN_NONE; i = s->owners[i].next)
        all |= 1ull << s->code.at[s->parts[s->owners[i].part].from].file;
    return all;
}

bool scan_kernel(struct scan *s, const char *kernel, char *found, size_t size)
{
    if (*s->lost) {
        snprintf(found, size, "the source cannot be followed: %s", s->lost);
        return true;
    }
    uint32_t word = scan_word(s, kernel, strlen(kernel));
    bool defined = s->words[word].first_piece != SCAN_NONE;
    s->turn++;
    s->stack_count = 0;
    scan_push(s, word);
    while (s->stack_count && !s->no_memory) {
        uint32_t next = s->stack[--s->stack_count];
        if (look_into_all(s, s->words[next].first_macro, next, found, size) ||
            look_into_all(s, s->words[next].first_piece, next, found, size))
            return true;
    }
    if (!defined || s->no_memory)
        snprintf(found, size, "%s", s->no_memory ? "there is no memory to look through the source" : "the source does not define it by name");
    return !defined || s->no_memory;
}
