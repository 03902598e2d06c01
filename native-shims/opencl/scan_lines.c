/* Directives: macros are kept, and what is left is code. */
#include <stdlib.h>
#include <string.h>

#include "scan_parts.h"

#define MOST_PARAMETERS 256 /* and what stands between them */

uint32_t line_of(const struct lines *l, const struct token *t)
{
    return (uint32_t)((int64_t)t->line + l->renumbered);
}

/* Whether brackets of a macro close each other: else what stands around it cannot be cut into pieces. */
bool scan_balanced(const struct scan *s, uint32_t from, uint32_t to)
{
    int braces = 0, parens = 0;
    for (uint32_t i = from; i < to; i++) {
        const struct token *t = &s->bodies.at[i];
        braces += is_sign(t, '{') - is_sign(t, '}');
        parens += is_sign(t, '(') + is_sign(t, '[') - is_sign(t, ')') - is_sign(t, ']');
        if (braces < 0 || parens < 0)
            return false;
    }
    return !braces && !parens;
}

/* Whether it is one of the parameters between `from` and `to`. */
static bool is_parameter(const struct lines *l, uint32_t from, uint32_t to, const struct token *t)
{
    for (uint32_t i = from; i < to && t->kind == TOKEN_WORD; i++)
        if (l->raw->at[i].kind == TOKEN_WORD && l->raw->at[i].word == t->word)
            return true;
    return false;
}

static void define(struct lines *l, uint32_t at, uint32_t end)
{
    struct scan *s = l->s;
    if (at >= end || l->raw->at[at].kind != TOKEN_WORD)
        return;
    if (!strcmp(token_text(s, &l->raw->at[at]), "__cplusplus"))
        scan_lost(s, "a source in C++");
    uint32_t from = s->bodies.count, begin = at + 1, last = at + 1;
    if (begin < end && is_sign(&l->raw->at[begin], '(') && (l->raw->at[begin].flags & GLUED))
        while (last < end && !is_sign(&l->raw->at[last++], ')'))
            ;
    if (last - begin > MOST_PARAMETERS)
        scan_lost(s, "macro %.48s has more than %d parameters", token_text(s, &l->raw->at[at]), MOST_PARAMETERS / 2);
    for (uint32_t i = last; i < end && !*s->lost; i++) {
        struct token t = l->raw->at[i];
        t.line = line_of(l, &t);
        t.kind = is_parameter(l, begin, last, &t) ? TOKEN_PARAMETER : t.kind;
        scan_token(s, &s->bodies, t);
    }
    if (s->no_memory)
        return;
    scan_name(s, l->raw->at[at].word, scan_part(s, (struct part){.from = from, .to = s->bodies.count, .macro = true}));
    if (!scan_balanced(s, from, s->bodies.count))
        scan_lost(s, "macro %.48s has brackets without their partners", token_text(s, &l->raw->at[at]));
}

/* The name between < and >, whose parts stand close together; false: it is none. */
static bool angled_name(const struct lines *l, uint32_t at, uint32_t end, char out[INCLUDE_PATH])
{
    size_t length = 0;
    for (uint32_t i = at + 1; i < end; i++) {
        const struct token *t = &l->raw->at[i];
        const char sign[2] = {t->kind == TOKEN_SIGN ? (char)t->word : 0, 0}, *text = t->kind == TOKEN_SIGN ? sign : token_text(l->s, t);
        if (is_sign(t, '>') && length) {
            out[length] = 0;
            return true;
        }
        if (!(t->flags & GLUED) || t->kind == TOKEN_STRING || !*text || length + strlen(text) >= INCLUDE_PATH)
            return false;
        memcpy(out + length, text, strlen(text));
        length += strlen(text);
    }
    return false;
}

/* The texts that are there are all read, whoever includes them. In the middle of a piece a word stands for what comes in. */
static void include(struct lines *l, uint32_t at, uint32_t end)
{
    struct scan *s = l->s;
    char angled[INCLUDE_PATH];
    const struct token *t = &l->raw->at[at];
    const char *name = at < end && t->kind == TOKEN_STRING ? token_text(s, t) : NULL;
    if (at < end && is_sign(t, '<') && angled_name(l, at, end, angled))
        name = angled;
    uint32_t text = name ? scan_included(s, l->file, name, name == angled) : SCAN_NONE;
    if (text == SCAN_NONE) {
        scan_lost(s, "an #include in line %u, which is not looked into", line_of(l, &l->raw->at[at - 1]));
        return;
    }
    s->includes[l->file] |= 1ull << text;
    if (pieces_between(s, &l->pieces))
        return;
    s->inside |= 1ull << text;
    pieces_token(s, &l->pieces, (struct token){.word = s->file_words[text], .line = line_of(l, t), .file = l->file, .kind = TOKEN_WORD});
}

static void renumber(struct lines *l, uint32_t at, uint32_t end)
{
    if (at >= end || l->raw->at[at].kind != TOKEN_NUMBER)
        return;
    const struct token *t = &l->raw->at[at];
    l->renumbered = strtol(token_text(l->s, t), NULL, 10) - (int64_t)t->line - 1;
    if (l->renumbered < -(int64_t)t->line || l->renumbered > INT32_MAX)
        l->renumbered = 0;
}

static void pragma(struct lines *l, uint32_t at, uint32_t end)
{
    static const char *const renaming[] = {"redefine_extname", "weak", "include_alias"};
    for (size_t i = 0; i < sizeof renaming / sizeof renaming[0]; i++)
        if (at < end && !strcmp(token_text(l->s, &l->raw->at[at]), renaming[i]))
            scan_lost(l->s, "#pragma %s in line %u", renaming[i], line_of(l, &l->raw->at[at]));
}

/* Tokens from `at`, behind the #, to the end of their line. */
static void directive(struct lines *l, uint32_t at, uint32_t end)
{
    if (at >= end)
        return;
    const struct token *t = &l->raw->at[at];
    const char *word = token_text(l->s, t);
    if (branch_line(l, at, end) || l->left_out)
        return;
    if (!strcmp(word, "define"))
        define(l, at + 1, end);
    else if (!strncmp(word, "include", 7) || !strcmp(word, "import") || !strcmp(word, "embed"))
        include(l, at + 1, end);
    else if (!strcmp(word, "line"))
        renumber(l, at + 1, end);
    else if (t->kind == TOKEN_NUMBER)
        renumber(l, at, end);
    else if (!strcmp(word, "pragma"))
        pragma(l, at + 1, end);
}

void scan_lines(struct scan *s, const struct tokens *raw, uint16_t file)
{
    struct lines l = {.s = s, .raw = raw, .pieces = {.from = s->code.count}, .file = file};
    for (uint32_t at = 0, end; at < raw->count && !s->no_memory; at = end + 1) {
        for (end = at; end + 1 < raw->count && raw->at[end].kind != TOKEN_LINE;)
            end++;
        if (is_sign(&raw->at[at], '#')) {
            directive(&l, at + 1, end);
            continue;
        }
        for (uint32_t i = l.left_out ? end : at; i < end; i++) {
            struct token t = raw->at[i];
            t.line = line_of(&l, &t);
            pieces_token(s, &l.pieces, t);
        }
    }
    if (l.depth)
        scan_lost(s, "an #if without #endif");
    if (l.pieces.braces || l.pieces.parens)
        scan_lost(s, "a bracket without its partner at the end");
    pieces_cut(s, &l.pieces);
}

