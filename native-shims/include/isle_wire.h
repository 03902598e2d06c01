/*
 * What the core (Java) and driver-rt (C) say to each other: the channel segment with its rings, and the control messages.
 * The same messages are used in process (tier 1: isle_rt_control and isle_rt_submit are called directly) and across a process
 * boundary (tier 2). Little-endian. Each side copies a record once and checks every field before it uses it.
 */
#ifndef ISLE_WIRE_H
#define ISLE_WIRE_H

#include "isle_kabi.h"

/* Core ids: kind 8 | generation 24 | index 32. */
enum { ISLE_KIND_CONTEXT = 2, ISLE_KIND_MEMORY = 3, ISLE_KIND_PROGRAM = 4, ISLE_KIND_FRAMEBUFFER = 7 };

/* ---- channel segment ----
 *   0      header (4 KiB)
 *   4096   request ring      REQUEST_CAPACITY x 64     core -> driver, one writer, one reader
 *   ...    completion ring   COMPLETION_CAPACITY x 64  driver -> core, many writers, one reader
 *   ...    control request   64 KiB
 *   ...    control response  64 KiB
 *   ...    crash record      4 KiB: a line of text and a NUL, then a line "PC OFFSET PATH" (the numbers hexadecimal;
 *                                                        PC alone where no file is mapped) for each frame, innermost first, and a NUL
 *   ...    started table     max_inflight x 16          driver -> core: entry i is about the tag with index i
 * Offsets and capacities stand in the header; the core writes them before the host starts and keeps its own copy.
 */
#define ISLE_CHANNEL_MAGIC 0x4c4e4843454c5349ull /* "ISLECHNL" */
#define ISLE_CHANNEL_ABI 5u
#define ISLE_CONTROL_BYTES 65536u
#define ISLE_CRASH_BYTES 4096u

enum { ISLE_HOST_STARTING = 0, ISLE_HOST_READY = 1, ISLE_HOST_CLOSED = 2, ISLE_HOST_CRASHED = 3 };

/*
 * What a driver logged as a warning or an error, so that the core finds the line of a completion: it is stored before the driver goes
 * on. seq is 2n + 1 while line n is written and 2n + 2 once it is there; text is not terminated.
 */
#define ISLE_LOG_LINES 4u
#define ISLE_LOG_TEXT 488u
typedef struct {
    uint64_t seq;
    uint64_t ns; /* when it was logged */
    uint32_t level;
    uint32_t length;
    char text[ISLE_LOG_TEXT];
} isle_log_line;

typedef struct {
    /* 0: written by the core only */
    uint64_t magic;
    uint32_t abi;
    uint32_t epoch;
    uint64_t total_size;
    uint32_t request_capacity;    /* power of two */
    uint32_t completion_capacity; /* power of two, >= max_inflight */
    uint32_t max_inflight;        /* tags' index part is below this */
    uint32_t spin_us;             /* how long the host's threads spin before they sleep */
    uint64_t request_offset, completion_offset, control_request_offset, control_response_offset, crash_offset,
        started_offset;
    uint8_t _pad0[128 - 88];
    /* 128: written by the host */
    uint32_t host_state;
    uint32_t host_pid;
    uint64_t heartbeat;           /* the data thread's steps: goes up by one on the way into the driver and by one on the way out, so it is
                                   * odd while a data call is inside; by two when the thread wakes up. Standing still while odd, while requests
                                   * wait, or while the bell is rung: a hang */
    uint64_t requests_taken;      /* requests consumed so far */
    uint64_t violations;          /* malformed messages and stale tags refused so far */
    uint8_t _pad1[128 - 32];
    /* 256: doorbell of the data thread: futex word and sleeping flag */
    uint32_t data_bell, data_sleeping;
    uint8_t _pad2[120];
    /* 384: doorbell of the control thread; control_seq: number of the newest request */
    uint32_t control_bell, control_sleeping;
    uint64_t control_seq;
    uint32_t control_length;      /* bytes of the request */
    uint32_t _pad3a;
    uint8_t _pad3[104];
    /* 512: futex word that the core's control caller sleeps on; reply_seq: number of the newest response */
    uint32_t reply_bell, reply_sleeping;
    uint64_t reply_seq;
    uint32_t reply_length;
    uint32_t _pad4a;
    uint8_t _pad4[104];
    /* 640: producers' ticket of the completion ring */
    uint64_t completion_tail;
    uint8_t _pad5[120];
    /* 768: number of the next line; line n lies at n % ISLE_LOG_LINES */
    uint64_t log_lines;
    uint8_t _pad6[120];
    isle_log_line log[ISLE_LOG_LINES];
} isle_channel_header;

/*
 * How one process rings for the core: a segment of its own (4 KiB), which that process and the core alone map. After a completion is
 * published: increment `bell`; then, if the agent sleeps, futex-wake it.
 */
typedef struct {
    uint32_t bell;
} isle_doorbell;

/* Whether the device's agent sleeps: a segment (4 KiB) that only the core can write, and all processes of the device read. Nobody waits on
 * it. The agent stores 1, then compares the bells with what they were before it looked for work the last time. */
typedef struct {
    uint32_t sleeping;
} isle_agent;

/* Slot of the request ring at index (position & (capacity - 1)). Valid when seq == position + 1 (release); freed by requests_taken. */
typedef struct {
    uint64_t seq;
    uint64_t tag;           /* generation << 32 | index */
    uint64_t context;       /* core id */
    uint64_t offset;        /* of the envelope, in the command segment */
    uint32_t length;
    uint32_t kind;          /* ISLE_REQUEST_* */
    uint32_t reason;        /* PREEMPT: PreemptReason */
    uint32_t _pad;
    uint64_t seen;          /* SUBMIT: completions that the core had taken when it wrote this */
    uint64_t _pad2;
} isle_request;
enum { ISLE_REQUEST_SUBMIT = 1, ISLE_REQUEST_PREEMPT = 2 };

/* Slot of the completion ring: ticket t of `completion_tail` (fetch-add) writes slot t & (capacity - 1), then seq = t + 1 (release). */
typedef struct {
    uint64_t seq;
    uint64_t tag;
    uint32_t status;
    int32_t detail;
    uint64_t start_ns, end_ns, busy_ns;
    uint64_t _pad[2];
} isle_completion_slot;

/* Entry of the started table. The writer stores start_ns, then tag (release); a reader that finds the tag it asked for (acquire) reads
 * a start of that tag or of a later one, after which nobody asks for it. */
typedef struct {
    uint64_t tag;      /* 0: none yet */
    uint64_t start_ns;
} isle_started;

/* ---- control messages ----
 * Request: isle_control_request then `length` bytes of the op's struct. Response: isle_control_response then the op's struct.
 * Sizes are exact but for trailing text or arrays, which are named with their length. Fixed text is padded with NUL; a text that fills
 * its field has none. When OPEN fails, the response's body is a line of text that says why. The host answers every request, also one
 * that is too malformed for isle_rt_control. Segments: descriptors come over a SOCK_SEQPACKET socket, one isle_segment_request each,
 * the channel (segment 0, writable) first.
 */
typedef struct {
    uint64_t seq;
    uint32_t op;
    uint32_t length;
} isle_control_request;

typedef struct {
    uint64_t seq;
    IoResultCode result;
    uint32_t length;
} isle_control_response;

enum {
    ISLE_OP_HELLO = 1,            /* -> isle_hello + settings as text lines */
    ISLE_OP_PROBE = 2,            /* u32 index -> isle_device_seed */
    ISLE_OP_OPEN = 3,             /* isle_open_request + settings -> isle_open_response */
    ISLE_OP_ADD_SEGMENT = 4,      /* isle_segment_request; in tier 2 its descriptor was sent on the socket before */
    ISLE_OP_REMOVE_SEGMENT = 5,   /* u32 segment */
    ISLE_OP_CREATE_CONTEXT = 6,   /* isle_create_context */
    ISLE_OP_DESTROY_CONTEXT = 7,  /* u64 context */
    ISLE_OP_RESET_CONTEXT = 8,    /* u64 context */
    ISLE_OP_RESET_DEVICE = 9,
    ISLE_OP_ALLOC = 10,           /* isle_alloc_request -> isle_alloc_response */
    ISLE_OP_FREE = 11,            /* u64 memory */
    ISLE_OP_LOAD_PROGRAM = 12,    /* isle_load_request + options + source -> isle_load_response + build log */
    ISLE_OP_UNLOAD_PROGRAM = 13,  /* u64 program */
    ISLE_OP_DESCRIBE_PROGRAM = 14,/* isle_describe_request -> isle_program_entry */
    ISLE_OP_BUILTIN = 15,         /* u32 index -> isle_program_entry */
    ISLE_OP_INFO = 16,            /* -> AccelDeviceInfo */
    ISLE_OP_UTILIZATION = 17,     /* -> AccelUtilization */
    ISLE_OP_POWER = 18,           /* -> AccelPowerState */
    ISLE_OP_SET_PERF_LEVEL = 19,  /* u32 level */
    ISLE_OP_COMPUTE_CAPS = 20,    /* -> ComputeCapabilities */
    ISLE_OP_PERF_COUNTERS = 21,   /* u64 context -> AccelPerfCounters */
    ISLE_OP_INJECT_FAULT = 22,    /* isle_inject_request */
    ISLE_OP_CLOSE = 23,           /* closes the device; the host stays */
    ISLE_OP_EXIT = 24,            /* fini, then the host ends */
    ISLE_OP_POWER_STATES = 25,    /* -> u32: bit set of 1 << ACCEL_POWER_* */
    ISLE_OP_SET_POWER = 26,       /* u32 AccelPowerLevel */
    ISLE_OP_HEALTH = 27,          /* -> AccelHealthData */
    ISLE_OP_FAULTY_PAGE = 28,     /* u32 index -> isle_page_range */
    ISLE_OP_RETIRE_PAGES = 29,    /* isle_page_range */
    ISLE_OP_RETIRED_PAGES = 30,   /* -> u64 */
    ISLE_OP_MIGRATE_PAGES = 31,   /* isle_migrate_request + isle_page[count] -> i32[count] */
    ISLE_OP_SANDBOX = 32,         /* -> lines of text, '\n' after each; only a host has one */
    ISLE_OP_CONNECTORS = 33,      /* -> AccelConnectorInfo[], <= ISLE_MAX_CONNECTORS */
    ISLE_OP_MODES = 34,           /* u32 connector -> AccelDisplayMode[], <= ISLE_MAX_MODES */
    ISLE_OP_SET_MODE = 35,        /* isle_mode_request */
    ISLE_OP_CREATE_FRAMEBUFFER = 36, /* isle_framebuffer_request */
    ISLE_OP_PAGE_FLIP = 37,       /* isle_flip_request -> u64 point */
    ISLE_OP_SET_DPMS = 38,        /* isle_connector_value with an AccelDpmsState */
    ISLE_OP_HOTPLUG_STATUS = 39,  /* u32 connector -> u32: 1 or 0 */
    ISLE_OP_EDID = 40,            /* u32 connector -> bytes, <= ISLE_EDID_MAX, whole blocks */
    ISLE_OP_SET_CURSOR = 41,      /* isle_cursor_request + width * height words */
    ISLE_OP_SET_VRR = 42,         /* isle_connector_value with 1 or 0 */
    ISLE_OP_SCANOUT_STATUS = 43,  /* u32 connector -> isle_scanout_status */
    ISLE_OP_SCANOUT_READ = 44,    /* isle_scanout_request -> isle_scanout_part + its lines */
    ISLE_OP_DESCRIBE_KERNEL = 45, /* isle_describe_request -> isle_kernel; -ENOTSUP: the driver has no `kernel` */
    ISLE_OP_LOAD_FILES = 46,      /* isle_files_request + options + files -> isle_load_response + build log; -ENOTSUP: the driver has no
                                   * `sources` */
    ISLE_OP_HPU_CAPS = 47,        /* -> isle_hpu_caps; this and those below: -ENOTSUP without ISLE_IFACE_HPU */
    ISLE_OP_HPU_ATTACH = 48,      /* isle_hpu_attach_request -> when it failed, why: bytes of text */
    ISLE_OP_HPU_DETACH = 49,      /* u64 context */
    ISLE_OP_HPU_REPORT = 50       /* u64 context -> isle_hpu_report */
};

typedef struct {
    uint32_t kabi_version; /* the driver's */
    uint32_t flags;
    char name[16];
    char version[48];
    uint32_t setting_count; /* then that many isle_setting_text */
    uint32_t _pad;
} isle_hello;

typedef struct {
    char key[64];
    uint32_t type;
    uint32_t _pad;
    int64_t min, max;
    char choices[128];
    char default_value[64];
    char help[160];
} isle_setting_text;

typedef struct {
    isle_device_seed seed;
    uint32_t value_count; /* then value_count times: u16 key length, u16 value length, key, value; no terminators */
    uint32_t _pad;
} isle_open_request;

enum { ISLE_NEGOTIATED_ABSENT = 0, ISLE_NEGOTIATED_PRESENT = 1 };

typedef struct {
    uint32_t interface_id;
    uint32_t version;      /* the driver's; 0 when absent */
    uint64_t vtable_size;  /* the driver's */
    uint64_t entries;      /* bit per function entry in vtable order: 1 = callable */
} isle_negotiated;

typedef struct {
    AccelDeviceInfo info;
    uint32_t interface_count; /* <= 16 */
    uint32_t completion_mode; /* 0 complete(), 1 callback, 2 polling */
    uint32_t program_kinds;   /* bit set of 1 << ISLE_PROGRAM_*; 0 without programs */
    uint32_t execution;       /* bit set of ISLE_EXECUTION_*; 0 when the driver says nothing */
    isle_negotiated interfaces[16];
} isle_open_response;

typedef struct {
    uint32_t segment; /* 1 = command segment, 3 = source or files of a program, 4 = isle_agent (these read-only for the driver), 2 = the
                       * process's isle_doorbell, >= 16 context heaps */
    uint32_t writable;
    uint64_t size;
} isle_segment_request;

#define ISLE_SEGMENT_COMMANDS 1u
#define ISLE_SEGMENT_DOORBELL 2u
#define ISLE_SEGMENT_SOURCE 3u /* there only while a program is loaded whose source no message holds */
#define ISLE_SEGMENT_AGENT 4u
#define ISLE_SEGMENT_FIRST_HEAP 16u

typedef struct {
    uint64_t context; /* core id that the new context gets */
    uint32_t owner_pid;
    AccelPriority priority;
    AccelContextLimits limits;
    uint32_t heap_segment; /* 0: none */
    uint32_t _pad;
} isle_create_context;

typedef struct {
    uint64_t context;
    uint64_t memory; /* core id that the new memory gets */
    uint64_t size;
    uint64_t alignment;
    AccelPageSize page_size;
    AccelMemFlags flags;
} isle_alloc_request;

typedef struct {
    uint32_t segment; /* 0: the CPU cannot see it */
    uint32_t _pad;
    uint64_t offset;
    uint64_t size; /* as allocated, >= asked */
} isle_alloc_response;

typedef struct {
    uint64_t context;
    uint64_t program; /* core id that the new program gets */
    uint32_t kind;
    uint32_t length;          /* bytes of source, <= ISLE_SOURCE_MAX */
    uint32_t options_length;  /* bytes of build options, which follow: text without NUL, <= ISLE_OPTIONS_MAX */
    uint32_t segment;         /* 0: the source follows the options; ISLE_SEGMENT_SOURCE: it is at the start of that */
} isle_load_request;
#define ISLE_SOURCE_MAX (1u << 20)
#define ISLE_OPTIONS_MAX 4096u
#define ISLE_BUILD_LOG_MAX 16384u

/* Files: isle_file_entry[file_count + header_count], those to be compiled first; then, in the same order, name and text of each. */
typedef struct {
    uint64_t context;
    uint64_t program;         /* core id that the new program gets */
    uint32_t file_count;      /* to be compiled, >= 1 */
    uint32_t header_count;    /* with file_count <= ISLE_SOURCE_FILES */
    uint32_t options_length;  /* as in isle_load_request */
    uint32_t length;          /* bytes of files */
    uint32_t segment;         /* 0: the files follow the options; ISLE_SEGMENT_SOURCE: they are at the start of that */
    uint32_t _pad;
} isle_files_request;

typedef struct {
    uint32_t name_length;     /* 1 to ISLE_FILE_NAME, without NUL */
    uint32_t text_length;     /* <= ISLE_FILE_MAX, together <= ISLE_FILES_MAX; without NUL */
} isle_file_entry;

typedef struct {
    uint32_t log_length; /* bytes of build log that follow, also when the load failed; < ISLE_BUILD_LOG_MAX */
    uint32_t _pad;
} isle_load_response;

typedef struct {
    uint64_t program;
    uint32_t entry;
    uint32_t _pad;
} isle_describe_request;

typedef struct {
    uint32_t fault;
    uint32_t _pad;
    uint64_t after, count, value;
} isle_inject_request;

typedef struct {
    uint64_t memory, offset, length;
} isle_page_range;

#define ISLE_MIGRATE_MAX 1024u

typedef struct {
    uint64_t context;
    uint32_t count; /* <= ISLE_MIGRATE_MAX */
    uint32_t flags; /* MigrationFlags with exactly one direction, without ASYNC */
} isle_migrate_request;

typedef struct {
    uint64_t memory, offset;
} isle_page;

typedef struct {
    uint32_t connector;
    AccelDisplayMode mode;
} isle_mode_request;

typedef struct {
    uint64_t memory;
    uint64_t framebuffer; /* core id that the new framebuffer gets; gone with its memory */
    uint32_t width, height;
    uint32_t format;      /* ISLE_FORMAT_* */
    uint32_t _pad;
} isle_framebuffer_request;

typedef struct {
    uint64_t framebuffer;
    uint32_t connector;
    uint32_t _pad;
} isle_flip_request;

typedef struct {
    uint32_t connector;
    uint32_t value;
} isle_connector_value;

typedef struct {
    uint32_t connector;
    uint32_t width, height; /* <= ISLE_CURSOR_MAX; 0 x 0 without a body takes the cursor away */
    uint32_t x, y;
    uint32_t _pad;
} isle_cursor_request;

typedef struct {
    uint32_t connector;
    uint32_t first_line, line_count;
    uint32_t _pad;
} isle_scanout_request;

typedef struct {
    uint64_t point;
    uint32_t width, height; /* of the whole picture */
    uint32_t first_line, line_count;
} isle_scanout_part;

#define ISLE_HPU_WHY 256u

typedef struct {
    uint64_t context, program;
    uint64_t memories[ISLE_HPU_MEMORIES]; /* core ids, in the order of isle_hpu_vtable.attach; 0: none */
    isle_hpu_limits limits;
} isle_hpu_attach_request;

/* ---- driver-rt, linked into driver-host and into libisle_shim.so (tier 1, called through FFM) ---- */
typedef struct isle_rt isle_rt;

/* `channel` is mapped for reading and writing and stays so until isle_rt_unload. Loads the library at `path` and runs its init.
 * On failure returns a negative code and writes a line of text that says why. */
IoResultCode isle_rt_load(const char *path, void *channel, char *why, uint32_t why_size, isle_rt **out);
/* In tier 1 segments are handed over by address; in tier 2 the host maps the descriptor and calls the same. */
IoResultCode isle_rt_add_segment(isle_rt *rt, uint32_t segment, void *pointer, uint64_t size, uint32_t writable);
/* One control message (isle_control_request + body) -> isle_control_response + body. Returns the response's total length, or a
 * negative code when the request is too malformed to answer. One call at a time. Both buffers are 8-byte aligned, response_size is at
 * least ISLE_CONTROL_BYTES. */
int64_t isle_rt_control(isle_rt *rt, const void *request, uint32_t request_length, void *response, uint32_t response_size);
/* Data lane: validates, maps ids, patches the envelope, calls submit_commands. 0 or a negative code (then no completion comes). Behind
 * the request ring a refusal becomes a completion of its tag: ACCEL_COMPLETION_ERROR with the code as detail; for a tag that is out of
 * range or in flight only `violations` counts. During a reset of the context or device: -EINTR. May run beside any control message. */
IoResultCode isle_rt_submit(isle_rt *rt, uint64_t tag, uint64_t context, uint64_t offset, uint32_t length);
IoResultCode isle_rt_preempt(isle_rt *rt, uint64_t context, uint32_t reason);
/* For drivers whose completions must be asked for: polls up to `limit` submissions. Returns how many completed. */
int32_t isle_rt_poll(isle_rt *rt, uint32_t limit);
/* Closes the device if open, runs fini, unmaps nothing, unloads the library; `rt` is gone in any case. -EBUSY when the library is still
 * mapped (another device of the same driver in this process also keeps it mapped). */
IoResultCode isle_rt_unload(isle_rt *rt);

#endif
