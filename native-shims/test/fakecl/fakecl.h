/* An OpenCL library for tests: one device that runs everything at once, in the calling thread, and fails as it is told. */
#ifndef ISLE_FAKECL_H
#define ISLE_FAKECL_H

#include <stdatomic.h>
#include <stdint.h>

struct fakecl {
    atomic_int devices;        /* how many there are */
    atomic_int coherent;       /* buffers over memory of the CPU are that memory */
    atomic_int svm;            /* what it says of its shared virtual memory */
    atomic_int reachable;      /* how many allocations a kernel was last told of */
    atomic_int hold;           /* what is enqueued does not end until fakecl_release() */
    atomic_int create_context; /* codes that calls end with; 0: they work */
    atomic_int create_buffer, create_svm, create_program, enqueue, callback;
    atomic_int event_status;   /* negative: what is enqueued ends with it */
    atomic_int kernel_status;  /* negative: kernels end with it, and nothing else does */
    atomic_int refuse_binaries;
    atomic_int compiled;       /* programs built from source or IL */
    atomic_int largest_buffer; /* that was asked for, in bytes */
    atomic_int held;           /* events that wait for fakecl_release() */
    atomic_int live;           /* objects that nobody has released */
    atomic_int dimensions, offset, group; /* of the last kernel: the latter two of the first dimension, 0: none was given */
    atomic_int local_bytes;    /* that the last local argument got */
    atomic_int linked;         /* programs that were linked */
    atomic_int link_code;      /* what linking ends with, and takes its log away */
    atomic_int no_linker;      /* the device says that it has none */
    char options[8192];        /* of the last build */
    char link_options[256];    /* of the last link that was done */
    char includes[8192];       /* names of the texts that the last compiled file could include, a blank before each */
};
/* exported as fakecl() and fakecl_release() */
typedef struct fakecl *(*fakecl_fn)(void);
typedef void (*fakecl_release_fn)(void);

#endif
