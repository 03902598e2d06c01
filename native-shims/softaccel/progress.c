/*
 * What stays of work that left the engine in its middle: how far it is and the memory that it had, until the same submission comes
 * again. One a context, as its work runs in order.
 */
#include "progress.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void *exec_keep(struct exec *x, uint64_t bytes)
{
    void **at = &x->at.kept[x->kept++];
    if (!*at)
        *at = aligned_alloc(64, (bytes + 63) / 64 * 64);
    return *at;
}

static void free_kept(struct progress *p)
{
    for (uint32_t i = 0; i < EXEC_KEPT; i++) {
        if (p->kept[i])
            free(p->kept[i]);
        p->kept[i] = NULL;
    }
}

void exec_drop_kept(struct exec *x)
{
    free_kept(&x->at);
}

void progress_drop(struct progress *p)
{
    if (!p)
        return;
    free_kept(p);
    free(p);
}

/* One block: the progress, its pieces, the envelope. */
bool progress_keep(struct exec *x, const struct work *w)
{
    size_t pieces = x->at.left * sizeof *x->at.piece;
    struct progress *p = malloc(sizeof *p + pieces + w->length);
    if (!p)
        return false;
    uint8_t *behind = (uint8_t *)(p + 1);
    *p = x->at;
    p->others = 0;
    p->piece = (void *)behind;
    p->command = behind + pieces;
    p->length = w->length;
    if (pieces)
        memcpy(behind, x->at.piece, pieces);
    memcpy(behind + pieces, w->command, w->length);
    memset(x->at.kept, 0, sizeof x->at.kept);
    atomic_store(&x->context->progress, p);
    return true;
}

bool progress_is_of(const struct progress *p, const struct work *w)
{
    const size_t tag = offsetof(isle_command, tag), behind = tag + sizeof(uint64_t);
    return p->length == w->length && !memcmp(p->command, w->command, tag) &&
           !memcmp(p->command + behind, w->command + behind, w->length - behind);
}

void progress_take(struct exec *x, struct progress *p)
{
    x->at = *p;
    x->at.piece = x->worker->pieces;
    if (p->left)
        memcpy(x->at.piece, p->piece, p->left * sizeof *p->piece);
    free(p);
}
