#define _GNU_SOURCE
#include "opencl_fake.h"

#include <dlfcn.h>
#include <stdlib.h>

struct fakecl *fake;
fakecl_release_fn fake_release;

void fake_use(const char *library)
{
    setenv("ISLE_OPENCL_LIBRARY", test_file(library), 1);
}

bool fake_find(void)
{
    void *library = dlopen(test_file("libfakecl.so"), RTLD_NOW | RTLD_LOCAL);
    fakecl_fn get = NULL;
    if (library) {
        *(void **)&get = dlsym(library, "fakecl");
        *(void **)&fake_release = dlsym(library, "fakecl_release");
    }
    if (!get || !fake_release) {
        fprintf(stderr, "%s\n", dlerror());
        return false;
    }
    fake = get();
    fake_use("libfakecl.so");
    return true;
}

int fake_begin(const char *settings)
{
    fake_use("libfakecl.so");
    fake->devices = fake->coherent = fake->svm = 1;
    fake->hold = fake->create_context = fake->create_buffer = fake->create_svm = fake->create_program = fake->enqueue = fake->callback = 0;
    fake->event_status = fake->kernel_status = fake->compiled = fake->largest_buffer = fake->reachable = 0;
    return ocl_begin(settings, NULL);
}

int fake_load(void)
{
    return ocl_load(PROGRAM, ISLE_PROGRAM_OPENCL_C, FAKE_SOURCE, sizeof FAKE_SOURCE - 1);
}

int fake_twice(uint32_t index, uint64_t *tag)
{
    struct command k;
    command_begin(&k);
    command_bind(&k, A, 0, 4096, READ_);
    command_bind(&k, B, 0, 4096, WRITE_);
    command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    ocl_dispatch(&k, 2, 0, 1024, 3, (isle_arg[]){{ISLE_ARG_BUFFER, 0, 0}, {ISLE_ARG_BUFFER, 1, 0}, {ISLE_ARG_U32, 0, 5}});
    return core_submit(&ocl, CONTEXT, &k, index, tag);
}
