/* The library tells of local memory; for all else there is no question, so the source is looked through. */
#include "group_size.h"

#include <stdio.h>

#include "scan.h"

static void by_library(isle_kernel *k)
{
    const size_t size = sizeof k->needs_group_size;
    for (uint32_t i = 0; i < k->arg_count; i++) {
        if (k->args[i].kind != ISLE_ARG_LOCAL)
            continue;
        snprintf(k->needs_group_size, size, "argument %u (%s) in local memory", i, k->args[i].name);
        return;
    }
    if (k->local_bytes)
        snprintf(k->needs_group_size, size, "%llu bytes of local variables", (unsigned long long)k->local_bytes);
}

void group_size_needs(struct program *p, const struct origin *origin, struct scan *s)
{
    for (uint32_t i = 0; i < p->count; i++) {
        isle_kernel *k = p->entries[i].told;
        if (k->group_size[0])
            continue;
        if (!s)
            snprintf(k->needs_group_size, sizeof k->needs_group_size, "%s",
                     origin->kind == ISLE_PROGRAM_OPENCL_C ? "there is no memory to look through the source"
                                                           : "a program in SPIR-V cannot be looked through");
        else if (!scan_kernel(s, k->name, k->needs_group_size, sizeof k->needs_group_size))
            by_library(k);
    }
}
