#define _GNU_SOURCE
#include "types.h"

#include <stdio.h>
#include <string.h>

static const struct scalar {
    const char *name, *other;
    uint8_t kind, bytes;
} scalars[] = {
    {"uint", "unsigned int", ISLE_ARG_U32, 4},      {"int", "signed int", ISLE_ARG_I32, 4},
    {"ulong", "unsigned long", ISLE_ARG_U64, 8},    {"long", "signed long", ISLE_ARG_I64, 8},
    {"ushort", "unsigned short", ISLE_ARG_U32, 2},  {"short", "signed short", ISLE_ARG_I32, 2},
    {"uchar", "unsigned char", ISLE_ARG_U32, 1},    {"char", "signed char", ISLE_ARG_I32, 1},
    {"float", "float", ISLE_ARG_F32, 4},            {"double", "double", ISLE_ARG_F64, 8},
    {"half", "half", 0, 2},
};
static const uint8_t lanes[] = {1, 2, 3, 4, 8, 16};
#define SCALARS (sizeof scalars / sizeof scalars[0])
_Static_assert(TYPES_PLAIN == SCALARS * sizeof lanes, "all of them");

static void shape(const struct scalar *s, uint32_t count, isle_kernel_arg *out)
{
    out->kind = count == 1 && s->kind ? s->kind : ISLE_ARG_BYTES;
    out->bytes = s->bytes * (count == 3 ? 4 : count);
    out->element = s->kind;
    out->lanes = s->kind ? count : 0;
}

void type_at(uint32_t number, char *name, size_t size, isle_kernel_arg *out)
{
    const struct scalar *s = &scalars[number / sizeof lanes];
    uint32_t count = lanes[number % sizeof lanes];
    snprintf(name, size, count > 1 ? "%s%u" : "%s", s->name, count);
    shape(s, count, out);
}

bool type_of(const char *name, isle_kernel_arg *out)
{
    char plain[16];
    for (uint32_t i = 0; i < TYPES_PLAIN; i++) {
        type_at(i, plain, sizeof plain, out);
        if (!strcmp(plain, name))
            return true;
    }
    for (uint32_t i = 0; i < SCALARS; i++) {
        shape(&scalars[i], 1, out);
        if (!strcmp(scalars[i].other, name))
            return true;
    }
    out->kind = out->bytes = out->element = out->lanes = 0;
    return false;
}
