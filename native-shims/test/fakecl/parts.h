/* What the library's files share. */
#ifndef ISLE_FAKECL_PARTS_H
#define ISLE_FAKECL_PARTS_H

#include <pthread.h>

#include "../../opencl/cl.h"
#include "fakecl.h"

#define API __attribute__((visibility("default")))

struct cl_device {
    cl_uint units;
};
struct cl_memory {
    uint8_t *bytes;
    size_t size;
    int own;
};
struct cl_program_object {
    char *source, *log; /* log: NULL where none is its own */
    int is_source;
};
struct cl_kernel_object {
    int local; /* the kernel that takes local memory */
    int image; /* and this one an image instead */
    size_t required;
    uint8_t *buffers[2];
    cl_uint scalar;
};
struct cl_event_object {
    cl_int status, ends_with;
    cl_ulong start, end;
    int callbacks;
    cl_event_notify notify[4];
    void *user[4];
    cl_event next;
};

extern struct fakecl control;
void *make(size_t size); /* an object, all zero, that is counted until drop() */
cl_int drop(void *object);
/* What a query says, as far as there is room. */
cl_int answer(const void *from, size_t length, size_t room, void *to, size_t *out);
#define NUMBER(type, value) answer(&(type){value}, sizeof(type), room, to, out)
#define TEXT(value) answer(value, sizeof(value), room, to, out)
/* Around what a command does: its event, or the code that it fails with; then its end, or its wait for fakecl_release(). */
cl_int begin(cl_event *out);
cl_int end(cl_event *out);
extern pthread_mutex_t events_lock; /* over the status and callbacks of all events */

#endif
