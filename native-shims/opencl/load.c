#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "cl.h"

#define LIBRARY "libOpenCL.so.1"

static void *find(void *library, const char *name)
{
    char symbol[64];
    snprintf(symbol, sizeof symbol, "cl%s", name);
    return dlsym(library, symbol);
}

const struct cl_api *cl_load(char *why, size_t why_size)
{
    static struct cl_api api;
    const char *path = getenv("ISLE_OPENCL_LIBRARY");
    void *library = dlopen(path && *path ? path : LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
        snprintf(why, why_size, "%s", dlerror());
        return NULL;
    }
#define X(result, name, parameters)                                                           \
    if (!(*(void **)&api.name = find(library, #name))) {                                      \
        snprintf(why, why_size, "%s lacks cl%s", path && *path ? path : LIBRARY, #name);      \
        dlclose(library);                                                                     \
        return NULL;                                                                          \
    }
    CL_FUNCTIONS(X)
#undef X
#define X(result, name, parameters) *(void **)&api.name = find(library, #name);
    CL_OPTIONAL_FUNCTIONS(X)
#undef X
    dlclose(library); /* stays, by RTLD_NODELETE */
    return &api;
}
