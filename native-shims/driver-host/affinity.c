/* A thread of a driver chooses its processors. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

/*
 * In the place of the C library's, for whatever the driver loads. That one names the calling thread by its number, which the filter of system
 * calls cannot tell from the numbers of other processes; 0 is always the caller.
 */
__attribute__((visibility("default"))) int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *processors)
{
    int (*next)(pthread_t, size_t, const cpu_set_t *);
    if (pthread_equal(thread, pthread_self()))
        return sched_setaffinity(0, size, processors) ? errno : 0;
    *(void **)&next = dlsym(RTLD_NEXT, "pthread_setaffinity_np");
    return next ? next(thread, size, processors) : ENOSYS;
}
