#include "call.h"

#include "isle_kabi.h"

bool call_holds(const struct call *c, uint32_t arg, uint64_t count, uint32_t bytes)
{
    return count <= c->length[arg] / bytes && (uintptr_t)c->pointer[arg] % bytes == 0;
}

bool call_overlaps(const struct call *c, uint32_t a, uint32_t b)
{
    return c->pointer[a] < c->pointer[b] + c->length[b] && c->pointer[b] < c->pointer[a] + c->length[a];
}

uint32_t type_bytes(uint32_t type)
{
    return type == ISLE_ARG_U64 ? 8 : type == ISLE_ARG_U32 || type == ISLE_ARG_I32 || type == ISLE_ARG_F32 ? 4 : 0;
}
