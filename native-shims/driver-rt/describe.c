#include "describe.h"

#include <string.h>

static bool ended(const char *text, size_t size)
{
    return memchr(text, 0, size) != NULL;
}

static bool scalar(uint32_t kind)
{
    return kind >= ISLE_ARG_U32 && kind <= ISLE_ARG_F64;
}

static bool lanes_ok(const isle_kernel_arg *a)
{
    if (!a->element)
        return !a->lanes;
    return scalar(a->element) &&
           (a->lanes == 1 || a->lanes == 2 || a->lanes == 3 || a->lanes == 4 || a->lanes == 8 || a->lanes == 16);
}

/* The field that is wrong; NULL: none. */
static const char *argument_fault(const isle_kernel_arg *a, bool usable)
{
    const uint32_t both = ISLE_ACCESS_READ | ISLE_ACCESS_WRITE;
    if (!ended(a->name, sizeof a->name))
        return "name";
    if (!ended(a->type, sizeof a->type))
        return "type";
    if (a->kind > ISLE_ARG_BYTES || (usable && !a->kind))
        return "kind";
    if (a->kind == ISLE_ARG_BUFFER ? !a->access || (a->access & ~both) : a->access != 0)
        return "access";
    if (a->bytes > ISLE_LAUNCH_TAIL || (!a->bytes && (a->kind == ISLE_ARG_BYTES || scalar(a->kind))) || (scalar(a->kind) && a->bytes > 8))
        return "bytes";
    return !lanes_ok(a) || (scalar(a->kind) && (a->element != a->kind || a->lanes != 1)) ? "element" : NULL;
}

static const char *kernel_fault(const isle_kernel *k, uint32_t entry)
{
    const uint32_t *group = k->group_size;
    if (!*k->name || !ended(k->name, sizeof k->name))
        return "name";
    if (k->entry != entry)
        return "entry";
    if (k->arg_count > ISLE_LAUNCH_ARGS)
        return "arg_count";
    if ((group[0] || group[1] || group[2]) &&
        (!group[0] || !group[1] || !group[2] || (uint64_t)group[0] * group[1] > UINT32_MAX ||
         (uint64_t)group[0] * group[1] * group[2] > UINT32_MAX))
        return "group_size";
    if (!ended(k->needs_group_size, sizeof k->needs_group_size))
        return "needs_group_size";
    return ended(k->unusable, sizeof k->unusable) ? NULL : "unusable";
}

bool kernel_ok(const isle_kernel *k, uint32_t entry, char *why, uint32_t why_size)
{
    const char *fault = kernel_fault(k, entry);
    uint32_t sum = 0;
    if (fault) {
        rt_why(why, why_size, "description of kernel %u: %s is wrong", entry, fault);
        return false;
    }
    for (uint32_t i = 0; i < k->arg_count; i++) {
        fault = argument_fault(&k->args[i], !*k->unusable);
        sum += k->args[i].kind == ISLE_ARG_BYTES ? k->args[i].bytes : 0;
        if (fault || (sum > ISLE_LAUNCH_TAIL && !*k->unusable)) {
            rt_why(why, why_size, "description of kernel %u: argument %u: %s is wrong", entry, i, fault ? fault : "bytes");
            return false;
        }
    }
    return true;
}
