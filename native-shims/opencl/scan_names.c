/*
 * What the pieces of a file define: names that a bracket follows, outside of brackets. Where a macro is called there, any word in its text
 * and in its arguments may be a name. In all but functions, any word outside of braces may be one.
 */
#include <string.h>

#include "scan_parts.h"

struct naming {
    uint32_t part;
    bool pastes, braces; /* in what its macros put there */
};

/* Behind the bracket that closes the one at `at`. */
static uint32_t behind(const struct tokens *all, uint32_t at, uint32_t to)
{
    int depth = 0;
    for (; at < to; at++) {
        const struct token *t = &all->at[at];
        depth += is_sign(t, '(') + is_sign(t, '[') + is_sign(t, '{') - is_sign(t, ')') - is_sign(t, ']') - is_sign(t, '}');
        if (depth <= 0)
            return at + 1;
    }
    return to;
}

static bool is_attribute(const struct scan *s, const struct token *t)
{
    return t->kind == TOKEN_WORD && !strncmp(s->words[t->word].text, "__attribute", 11);
}

static bool is_macro(const struct scan *s, uint32_t word)
{
    return s->words[word].first_macro != SCAN_NONE;
}

static void name_piece(struct scan *s, uint32_t word, uint32_t part)
{
    if (s->words[word].class != WORD_KEYWORD)
        scan_name(s, word, part);
}

static bool goes_on(struct scan *s)
{
    if (s->steps++ > SCAN_STEPS)
        scan_lost(s, "its macros are too many");
    return !s->no_memory && !*s->lost;
}

/* Whether a word that a bracket follows is in the macro's text; else the words of it are put on the stack. */
static bool text_calls(struct scan *s, const struct part *m)
{
    for (uint32_t k = m->from; k < m->to && goes_on(s); k++) {
        const struct token *t = &s->bodies.at[k];
        if (is_attribute(s, t)) {
            k = behind(&s->bodies, k + 1, m->to) - 1;
        } else if (t->kind == TOKEN_PASTE) {
            return true;
        } else if (t->kind == TOKEN_WORD) {
            if (k + 1 < m->to && is_sign(t + 1, '(') && s->words[t->word].class != WORD_KEYWORD)
                return true;
            scan_push(s, t->word);
        }
    }
    return false;
}

/* Whether a macro that is not called may put a name there all the same. */
static bool calls(struct scan *s, uint32_t macro)
{
    bool found = false;
    if (s->words[macro].calls)
        return s->words[macro].calls == CALLS_SOMETHING;
    s->turn++;
    s->stack_count = 0;
    scan_push(s, macro);
    while (s->stack_count && !found && goes_on(s)) {
        uint32_t word = s->stack[--s->stack_count];
        for (uint32_t i = s->words[word].first_macro; i != SCAN_NONE && !found; i = s->owners[i].next)
            found = text_calls(s, &s->parts[s->owners[i].part]);
    }
    s->stack_count = 0;
    s->words[macro].calls = found ? CALLS_SOMETHING : CALLS_NOTHING;
    return found;
}

/* A macro's text at the top level: what follows in brackets is a name only where it goes to another macro. */
static void name_by_text(struct scan *s, struct naming *n, const struct part *m)
{
    uint32_t argument_end = m->from;
    for (uint32_t k = m->from; k < m->to && goes_on(s); k++) {
        const struct token *t = &s->bodies.at[k];
        n->pastes |= t->kind == TOKEN_PASTE;
        n->braces |= is_sign(t, '{');
        if (is_attribute(s, t)) {
            k = behind(&s->bodies, k + 1, m->to) - 1;
        } else if (k >= argument_end && (is_sign(t, '(') || is_sign(t, '[') || is_sign(t, '{'))) {
            k = behind(&s->bodies, k, m->to) - 1;
        } else if (t->kind == TOKEN_WORD) {
            if (k >= argument_end && is_macro(s, t->word) && k + 1 < m->to && is_sign(t + 1, '('))
                argument_end = behind(&s->bodies, k + 1, m->to);
            scan_push(s, t->word);
            name_piece(s, t->word, n->part);
        }
    }
}

/* Everything that the macros on the stack may put there. */
static void name_by_macros(struct scan *s, struct naming *n)
{
    while (s->stack_count && goes_on(s)) {
        uint32_t word = s->stack[--s->stack_count];
        for (uint32_t i = s->words[word].first_macro; i != SCAN_NONE && goes_on(s); i = s->owners[i].next) {
            const struct part m = s->parts[s->owners[i].part];
            name_by_text(s, n, &m);
        }
    }
}

/* The macro at `i` of the code. */
static void name_by_macro(struct scan *s, struct naming *n, uint32_t i, uint32_t to, bool called)
{
    uint32_t end = called ? behind(&s->code, i + 1, to) : i + 1;
    s->turn++;
    s->stack_count = 0;
    name_piece(s, s->code.at[i].word, n->part);
    for (uint32_t k = i; k < end && goes_on(s); k++) {
        if (s->code.at[k].kind != TOKEN_WORD)
            continue;
        scan_push(s, s->code.at[k].word);
        name_piece(s, s->code.at[k].word, n->part);
    }
    name_by_macros(s, n);
}

/* A name may stand in brackets itself, before those of its parameters. */
static void name_in_brackets(struct scan *s, uint32_t part, uint32_t i, uint32_t to)
{
    uint32_t end = behind(&s->code, i, to);
    for (uint32_t k = i; end < to && is_sign(&s->code.at[end], '(') && k < end && goes_on(s); k++)
        if (s->code.at[k].kind == TOKEN_WORD)
            name_piece(s, s->code.at[k].word, part);
}

static void name_part(struct scan *s, uint32_t part)
{
    uint32_t from = s->parts[part].from, to = s->parts[part].to, names = 0;
    struct naming n = {.part = part};
    bool function = true;
    for (uint32_t i = from; i < to && goes_on(s); i++) {
        const struct token *t = &s->code.at[i];
        n.braces |= is_sign(t, '{');
        if (t->flags & (INSIDE_BRACES | INSIDE_PARENS))
            continue;
        function &= !is_sign(t, '=');
        if (is_sign(t, '('))
            name_in_brackets(s, part, i, to);
        if (t->kind != TOKEN_WORD)
            continue;
        const struct word *w = &s->words[t->word];
        bool called = i + 1 < to && is_sign(t + 1, '(');
        function &= strcmp(w->text, "struct") && strcmp(w->text, "union") && strcmp(w->text, "enum") && strcmp(w->text, "typedef");
        if (called && w->class != WORD_KEYWORD) {
            name_piece(s, t->word, part);
            names++;
        }
        if (is_macro(s, t->word) && (called || calls(s, t->word)))
            name_by_macro(s, &n, i, to, called);
    }
    if (n.pastes && n.braces)
        scan_lost(s, "names that are made by ## before line %u", s->code.at[to - 1].line);
    for (uint32_t i = from; (!names || !function) && i < to && goes_on(s); i++)
        if (s->code.at[i].kind == TOKEN_WORD && !(s->code.at[i].flags & INSIDE_BRACES))
            name_piece(s, s->code.at[i].word, part);
}

void scan_names(struct scan *s)
{
    uint32_t count = s->part_count;
    for (uint32_t i = 0; i < count && goes_on(s); i++)
        if (!s->parts[i].macro)
            name_part(s, i);
}
