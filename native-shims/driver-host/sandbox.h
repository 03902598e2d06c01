/* What confines the process of a driver, or of a tile: applied after the core's socket is connected and before anything of it is loaded. */
#ifndef ISLE_SANDBOX_H
#define ISLE_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

enum sandbox_profile {
    SANDBOX_COMPUTE = 0, /* processor and memory only */
    SANDBOX_GPU = 1,     /* device nodes and ioctl besides */
    SANDBOX_OPENCL = 2,  /* device nodes, a folder to write in, and the linker */
    SANDBOX_TILE = 3,    /* as compute, and calls without a buffer on the sockets of a tile; the begin of another program, once */
    SANDBOX_PROFILES
};
extern const char *const sandbox_profiles[SANDBOX_PROFILES];

#define SANDBOX_DRIVERS SANDBOX_TILE /* the profiles below are for drivers */

/* Numbers of the descriptors that a tile may wake: the filter of system calls knows them. */
#define TILE_FIRST_PORT 10u
#define TILE_PORTS 2u

#define SANDBOX_REPORT 2048u

struct sandbox {
    enum sandbox_profile profile;
    uint64_t memory_bytes; /* private memory of the process; 0: no limit */
    bool debug;            /* a debugger may attach */
    const char *cache;     /* `opencl`: the folder that it may write in, or NULL */
    const char *const *readable; /* `tile`: files and folders that it may read and execute, NULL behind the last */
    /* Lines "what: applied", "what: applied (detail)", "what: not applied: why". */
    char report[SANDBOX_REPORT];
    uint32_t length;
};

/* Never fails: what cannot be applied is reported, and the rest is. From the first thread, before there is another. `library`: whose folder
 * can be read; NULL for none. */
void sandbox_apply(struct sandbox *s, const char *library);

/* A line of the report; code 0 or a negated errno. */
__attribute__((format(printf, 4, 5))) void sandbox_note(struct sandbox *s, const char *what, int code, const char *format, ...);

/* landlock.c, seccomp.c: 0 or a negated errno */
int landlock_apply(const struct sandbox *s, const char *library, int *abi);
int seccomp_apply(enum sandbox_profile profile);
/* In a new process of the profile `opencl`, that is to become a tool: its system calls, and one to begin with. 0 or a negated errno. */
int sandbox_confine_tool(void);
int seccomp_apply_tool(void);

#endif
