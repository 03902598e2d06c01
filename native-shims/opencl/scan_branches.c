/* Conditionals: all their branches are followed, whatever the conditions. */
#include <string.h>

#include "scan_parts.h"

static void branch_begin(struct lines *l)
{
    if (l->depth == SCAN_DEEPEST) {
        scan_lost(l->s, "conditionals nested deeper than %d", SCAN_DEEPEST);
        return;
    }
    struct pieces *p = &l->pieces;
    struct branch *b = &l->branches[l->depth++];
    *b = (struct branch){.braces = p->braces, .parens = p->parens, .held = !pieces_empty(l->s, p), .between = pieces_between(l->s, p)};
    p->held += b->held;
}

/* #ifdef __cplusplus, which no OpenCL C defines; tokens from `at` on. */
static bool is_foreign(const struct lines *l, uint32_t at, uint32_t end)
{
    const struct token *t = &l->raw->at[at];
    if (end - at == 2)
        return !strcmp(token_text(l->s, t), "ifdef") && !strcmp(token_text(l->s, t + 1), "__cplusplus");
    return end - at == 5 && !strcmp(token_text(l->s, t), "if") && !strcmp(token_text(l->s, t + 1), "defined") && is_sign(t + 2, '(') &&
           !strcmp(token_text(l->s, t + 3), "__cplusplus") && is_sign(t + 4, ')');
}

/* A directive in text that is left out. */
static void foreign_line(struct lines *l, const char *word)
{
    if (!strncmp(word, "if", 2)) {
        l->nested++;
    } else if (l->nested) {
        l->nested -= !strcmp(word, "endif");
    } else if (!strcmp(word, "endif")) {
        l->left_out = false;
        l->depth--;
    } else if (!strncmp(word, "el", 2)) {
        l->left_out = false;
        if (strcmp(word, "else"))
            scan_lost(l->s, "an #%.8s after text in C++", word);
    }
}

/* All branches must leave as many brackets open; to leave all of them out is one, too, unless there is an #else. */
static bool branches_differ(struct branch *b, const struct pieces *p, bool end)
{
    if (b->ended && (p->braces != b->end_braces || p->parens != b->end_parens))
        return true;
    b->ended = true;
    b->end_braces = p->braces;
    b->end_parens = p->parens;
    return end && !b->last && (b->end_braces != b->braces || b->end_parens != b->parens);
}

static void branch_next(struct lines *l, const char *word, uint32_t line)
{
    bool end = !strcmp(word, "endif");
    if (!l->depth) {
        scan_lost(l->s, "an #%.8s without #if in line %u", word, line);
        return;
    }
    struct pieces *p = &l->pieces;
    struct branch *b = &l->branches[l->depth - 1];
    if (b->foreign) {
        l->depth--;
        return;
    }
    if (branches_differ(b, p, end) || (b->last && !end))
        scan_lost(l->s, "unbalanced text before the #%.8s in line %u", word, line);
    b->open |= !pieces_between(l->s, p);
    if (!end) {
        p->held += !b->held && !pieces_empty(l->s, p); /* what this branch began goes on behind all of them */
        b->held |= !pieces_empty(l->s, p);
        b->last |= !strcmp(word, "else");
        p->braces = b->braces;
        p->parens = b->parens;
        p->ended = b->between;
        return;
    }
    b->open |= !b->last && !b->between;
    p->ended = !b->open;
    p->held -= b->held;
    l->depth--;
    if (p->ended && !p->held)
        pieces_cut(l->s, p);
}

bool branch_line(struct lines *l, uint32_t at, uint32_t end)
{
    const struct token *t = &l->raw->at[at];
    const char *word = token_text(l->s, t);
    bool begins = !strcmp(word, "if") || !strcmp(word, "ifdef") || !strcmp(word, "ifndef");
    if (!begins && strncmp(word, "el", 2) && strcmp(word, "endif"))
        return false;
    if (l->left_out) {
        foreign_line(l, word);
    } else if (is_foreign(l, at, end) && l->depth < SCAN_DEEPEST) {
        l->branches[l->depth++] = (struct branch){.foreign = true};
        l->left_out = true;
    } else if (begins) {
        branch_begin(l);
    } else {
        branch_next(l, word, line_of(l, t));
    }
    return true;
}
