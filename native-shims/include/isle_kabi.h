/*
 * The C ABI between the Isle core and an accelerator driver.
 *
 * The Accel* structures, enumerations and vtables follow the accelerator framework specification [42.2.2, 42.2.3, 42.2.5, 42.2.6, 43.1.8,
 * 44.5] in its order and widths. Names that the specification uses without a definition, and every isle_* name, are defined here, once.
 *
 * Lanes. "control": called from one thread at a time per device, may block, bounded by the core (a call that does not return is
 * a hang). "data": called by the device's agent only, never blocks, may run concurrently with a control call.
 * Times are CLOCK_MONOTONIC nanoseconds. A vtable entry may be absent (NULL) only where its comment says "optional".
 */
#ifndef ISLE_KABI_H
#define ISLE_KABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ISLE_KABI_MAJOR 1u
#define ISLE_KABI_MINOR 0u
#define ISLE_KABI_VERSION ((ISLE_KABI_MAJOR << 16) | ISLE_KABI_MINOR)

/* Result codes: 0, or a negated Linux errno number, or a negated extra from the list below. */
typedef int32_t IoResultCode;
#define IO_OK 0
#define IO_NOT_SUPPORTED (-95)
#define ISLE_KABI_VERSION_MISMATCH 4096
#define ISLE_EREVOKED 4097
#define ISLE_ECLOSED 4098

/* Handles are the driver's own names for its objects; 0 is "none". */
typedef uint64_t AccelContextHandle;
typedef uint64_t AccelMemHandle;
typedef uint64_t AccelSubmissionHandle;
typedef uint64_t P2pMappingHandle;
typedef uint64_t AccelFenceHandle;
typedef uint64_t AccelCmdBufferHandle;
typedef uint64_t AccelSemaphoreHandle;
typedef uint64_t AccelFramebufferHandle;
typedef uint64_t isle_program_handle;
typedef uint64_t DeviceNodeId;
typedef uint32_t NodeId;

typedef uint32_t AccelDeviceClass;
enum {
    ACCEL_CLASS_GPU = 0,
    ACCEL_CLASS_GPU_COMPUTE = 1,
    ACCEL_CLASS_NPU = 2,
    ACCEL_CLASS_TPU = 3,
    ACCEL_CLASS_FPGA = 4,
    ACCEL_CLASS_DSP = 5,
    ACCEL_CLASS_MEDIA_PROCESSOR = 6,
    ACCEL_CLASS_COMPUTE_STORAGE = 7,
    ACCEL_CLASS_OTHER = 255
};

typedef uint32_t PreemptionGranularity;
enum {
    PREEMPTION_NONE = 0,
    PREEMPTION_COMMAND_BUFFER = 1,
    PREEMPTION_DRAW_DISPATCH = 2,
    PREEMPTION_INSTRUCTION = 3
};

typedef uint32_t PreemptReason;
enum {
    PREEMPT_PRIORITY_INVERSION = 0,
    PREEMPT_FAIRNESS_TIMEOUT = 1,
    PREEMPT_EXECUTION_TIMEOUT = 2,
    PREEMPT_ADMIN_EVICT = 3
};

typedef uint32_t AccelPriority;
enum {
    ACCEL_PRIORITY_BACKGROUND = 0,
    ACCEL_PRIORITY_NORMAL = 1,
    ACCEL_PRIORITY_HIGH = 2,
    ACCEL_PRIORITY_REALTIME = 3
};

typedef uint32_t AccelCompletionStatus;
enum {
    ACCEL_COMPLETION_SUCCESS = 0,
    ACCEL_COMPLETION_ERROR = 1,
    ACCEL_COMPLETION_TIMEOUT = 2,
    ACCEL_COMPLETION_PREEMPTED = 3,
    ACCEL_COMPLETION_PARTIAL_ERROR = 4
};

typedef uint32_t AccelFenceType;
enum { ACCEL_FENCE_DEVICE_LOCAL = 0, ACCEL_FENCE_CROSS_DEVICE = 1, ACCEL_FENCE_CPU_SIGNAL = 2 };

typedef uint32_t AccelPageSize;
enum {
    ACCEL_PAGE_STANDARD = 0,
    ACCEL_PAGE_HUGE_2M = 1,
    ACCEL_PAGE_HUGE_1G = 2,
    ACCEL_PAGE_DEVICE_OPTIMAL = 3
};

typedef uint32_t AccelMemFlags;
#define ACCEL_MEM_PINNED 0x100u
#define ACCEL_MEM_CPU_VISIBLE 0x200u
#define ACCEL_MEM_COHERENT 0x400u
#define ACCEL_MEM_ALL (ACCEL_MEM_PINNED | ACCEL_MEM_CPU_VISIBLE | ACCEL_MEM_COHERENT)

typedef uint32_t MigrationFlags;
#define MIGRATION_TO_DEVICE (1u << 0)
#define MIGRATION_TO_CPU (1u << 1)
#define MIGRATION_FORCE (1u << 2)
#define MIGRATION_ASYNC (1u << 3)
#define MIGRATION_PREFETCH (1u << 4)

/* Memory kinds that a device offers; a bit set in AccelDeviceInfo.memory_types. */
typedef uint32_t AccelMemTypeFlags;
#define ACCEL_MEMTYPE_LOCAL (1u << 0)       /* device-local, only the device reaches it */
#define ACCEL_MEMTYPE_CPU_VISIBLE (1u << 1) /* device-local, the CPU can map it */
#define ACCEL_MEMTYPE_COHERENT (1u << 2)    /* CPU and device see each other's writes without a flush */
#define ACCEL_MEMTYPE_HUGE_2M (1u << 3)
#define ACCEL_MEMTYPE_HUGE_1G (1u << 4)

typedef uint32_t AccelPerfLevel;
enum { ACCEL_PERF_AUTO = 0, ACCEL_PERF_LOW = 1, ACCEL_PERF_BALANCED = 2, ACCEL_PERF_HIGH = 3 };

typedef uint32_t AccelPowerLevel;
enum { ACCEL_POWER_D0_ACTIVE = 0, ACCEL_POWER_D1_LOW_POWER = 1, ACCEL_POWER_D3_OFF = 3 };

typedef struct {
    AccelPowerLevel state;
    AccelPerfLevel perf_level;
    uint32_t temperature_mc; /* thousandths of a degree Celsius */
    uint32_t power_mw;
    uint32_t power_limit_mw; /* 0: none */
    uint32_t clock_mhz;
    uint32_t throttled; /* 1 while clocks are held down */
    uint32_t _pad;
} AccelPowerState;

typedef struct {
    AccelDeviceClass device_class;
    uint32_t compute_units;
    uint64_t local_memory_bytes;
    uint32_t max_contexts;
    PreemptionGranularity preemption_granularity;
    uint32_t max_cmd_buffer_size;
    AccelMemTypeFlags memory_types;
    uint8_t pcie_atomics;
    uint8_t p2p_capable;
    uint8_t unified_addressing;
    uint8_t hw_page_faults;
    uint8_t _pad[32];
} AccelDeviceInfo;

typedef struct {
    uint64_t max_memory_bytes;        /* 0: no limit */
    uint64_t max_execution_us;        /* 0: no limit */
    uint64_t guaranteed_bandwidth_us; /* 0: best effort */
    uint64_t bandwidth_period_us;
    uint8_t _pad[32];
} AccelContextLimits;

typedef struct {
    uint64_t vaddr;
    uint8_t current_location; /* 0 CPU, 1 device */
    uint8_t target_location;
    int16_t result;
    uint8_t _pad[4];
} AccelMigrationEntry;

typedef struct {
    uint32_t compute_percent;
    uint32_t memory_bw_percent;
    uint64_t memory_used_bytes;
    uint64_t memory_total_bytes;
    uint32_t active_contexts;
    uint32_t temperature_mc;
    uint32_t power_mw;
    uint32_t clock_mhz;
} AccelUtilization;

typedef struct {
    AccelFenceType fence_type;
    uint64_t value;
    DeviceNodeId device_id;
    uint32_t context_id;
} AccelFence;

typedef struct {
    uint8_t timeline_semaphores;
    uint8_t hw_cross_device;
    uint8_t cpu_signal;
    uint64_t max_fence_value; /* 0: never wraps */
} FenceProtocolSupport;

typedef void (*AccelCompletionCallback)(AccelContextHandle context, AccelSubmissionHandle submission, AccelCompletionStatus status);

/* Interface ISLE_IFACE_ACCEL_BASE. `ctx` is the device that open() returned. */
typedef struct {
    uint64_t vtable_size;
    uint32_t version;
    /* control */
    IoResultCode (*get_info)(void *ctx, AccelDeviceInfo *out_info);
    /* control */
    IoResultCode (*create_context)(void *ctx, uint32_t owner_pid, AccelPriority priority, const AccelContextLimits *limits,
                                   AccelContextHandle *out_context);
    /* control; work of the context that is still in flight ends with ACCEL_COMPLETION_ERROR before this returns */
    IoResultCode (*destroy_context)(void *ctx, AccelContextHandle context);
    /* data; cmd_buffer (an isle_command envelope) stays valid and unchanged until its completion */
    IoResultCode (*submit_commands)(void *ctx, AccelContextHandle context, const uint8_t *cmd_buffer, uint32_t cmd_len,
                                    const AccelFence *fences, uint32_t fence_count, AccelSubmissionHandle *out_submission);
    /* data; -EINPROGRESS while there is no result */
    IoResultCode (*poll_completion)(void *ctx, AccelSubmissionHandle submission, AccelCompletionStatus *out_status);
    /* data; optional; the context leaves the engine where the granularity allows, which may be the end of what runs; for reasons but
     * PREEMPT_EXECUTION_TIMEOUT what has not begun goes back, see isle_completion.detail. 0, also when nothing is there to leave */
    IoResultCode (*preempt_context)(void *ctx, AccelContextHandle context, PreemptReason reason);
    /* control */
    IoResultCode (*alloc_device_memory)(void *ctx, AccelContextHandle context, uint64_t size, uint64_t alignment,
                                        AccelPageSize page_size, AccelMemFlags flags, AccelMemHandle *out_handle);
    /* control */
    IoResultCode (*free_device_memory)(void *ctx, AccelMemHandle handle);
    /* control; the address lies inside memory of isle_core.alloc_shared, or the core cannot hand it on */
    IoResultCode (*map_device_memory)(void *ctx, AccelMemHandle handle, uint64_t offset, uint64_t size, uint64_t *out_cpu_addr);
    /* control; optional; `vaddr` is an address of map_device_memory on a page boundary; writes the `result` of each entry: 0 or -errno */
    IoResultCode (*migrate_pages)(void *ctx, AccelContextHandle context, const AccelMigrationEntry *pages, uint32_t page_count,
                                  MigrationFlags flags);
    /* control */
    IoResultCode (*get_utilization)(void *ctx, AccelUtilization *out_util);
    /* control */
    IoResultCode (*get_power_state)(void *ctx, AccelPowerState *out_state);
    /* control; optional */
    IoResultCode (*set_performance_level)(void *ctx, AccelPerfLevel level);
    /* control; every submission of the context in flight ends with ACCEL_COMPLETION_ERROR before this returns, none after it */
    IoResultCode (*reset_context)(void *ctx, AccelContextHandle context);
    /* control; as reset_context, for every context */
    IoResultCode (*reset_device)(void *ctx);
    /* control; optional; not used for a driver with ISLE_DRIVER_COMPLETES */
    IoResultCode (*register_completion_callback)(void *ctx, AccelContextHandle context, AccelCompletionCallback callback);
} AccelBaseVTable;

typedef struct {
    uint32_t isa_version;
    uint32_t max_workgroup_size;
    uint32_t max_local_memory;
    uint32_t shader_cores;
    uint32_t fp32_gflops;
    uint32_t fp16_gflops;
    uint32_t int8_tops;
    uint32_t tensor_cores;
    uint8_t _pad[32];
} ComputeCapabilities;

typedef uint32_t FaultAction;
enum { FAULT_RETRY = 0, FAULT_MAP_LOCAL = 1, FAULT_MAP_REMOTE = 2, FAULT_SIGNAL = 3, FAULT_KILL_CONTEXT = 4 };

typedef struct {
    FaultAction action;
    uint64_t page_paddr;
    uint64_t pte_flags;
} FaultResolution;

typedef struct {
    uint64_t cycles_executed;
    uint64_t bytes_read;
    uint64_t bytes_written;
    uint64_t kernel_count;
    uint64_t page_faults;
    uint64_t memory_stall_ns;
    uint64_t execution_ns;
    uint64_t vendor_counters[8];
    uint8_t _pad[32];
} AccelPerfCounters;

/* Interface ISLE_IFACE_ACCEL_COMPUTE. */
typedef struct {
    uint64_t vtable_size;
    uint32_t version;
    /* control */
    IoResultCode (*get_compute_caps)(void *ctx, ComputeCapabilities *out_caps);
    /* control; optional; asked where get_info says unified_addressing, for each context before it has anything; when it fails there is no
     * context. From then on memory of the context has, for as long as it lives, one address for all of its kernels, which may follow
     * pointers to whatever their submission binds. process_page_table is 0: the address space is that of the driver's process */
    IoResultCode (*enable_svm)(void *ctx, AccelContextHandle context, uint64_t process_page_table);
    /* never called by the core, which resolves device faults by a service of its own; optional */
    IoResultCode (*handle_device_fault)(void *ctx, AccelContextHandle context, uint64_t fault_addr, uint32_t fault_flags,
                                        FaultResolution *out_resolution);
    /* control; optional */
    IoResultCode (*get_perf_counters)(void *ctx, AccelContextHandle context, AccelPerfCounters *counters);
} AccelComputeVTable;

typedef struct {
    uint32_t index;
    uint32_t compute_units;
    uint64_t memory_bytes;
    uint64_t partition_id;
} AccelPartition;

typedef uint16_t AccelConnectorType;
enum {
    ACCEL_CONNECTOR_HDMI = 0,
    ACCEL_CONNECTOR_DISPLAYPORT = 1,
    ACCEL_CONNECTOR_DVI = 2,
    ACCEL_CONNECTOR_VGA = 3,
    ACCEL_CONNECTOR_EDP = 4,
    ACCEL_CONNECTOR_VIRTUAL = 5
};

typedef uint32_t AccelDpmsState;
enum { ACCEL_DPMS_ON = 0, ACCEL_DPMS_STANDBY = 1, ACCEL_DPMS_SUSPEND = 2, ACCEL_DPMS_OFF = 3 };

typedef struct {
    uint32_t connector_id; /* unique within the device, stable while it is open */
    AccelConnectorType connector_type;
    uint32_t max_width;    /* 0: unknown */
    uint32_t max_height;
    uint8_t connected;
    uint8_t active;        /* a mode is set */
    uint8_t _pad[6];
} AccelConnectorInfo;

/* A line takes width + hfp + hsw + hbp pixels, a frame height + vfp + vsw + vbp lines; refresh_millihz follows from these and the clock,
 * rounded down or up. */
typedef struct {
    uint32_t width;
    uint32_t height;
    uint32_t refresh_millihz;
    uint32_t clock_khz;
    uint16_t hfp, hsw, hbp; /* pixels */
    uint16_t vfp, vsw, vbp; /* lines */
    uint8_t preferred;
    uint8_t _pad[7];
} AccelDisplayMode;

/* Pixel formats, little-endian words named by four characters; lines follow each other without gaps. */
#define ISLE_FORMAT_XRGB8888 0x34325258u /* "XR24": 32 bits, the upper 8 are ignored */
#define ISLE_FORMAT_RGB565 0x36314752u   /* "RG16": 16 bits */

/*
 * Interface ISLE_IFACE_ACCEL_DISPLAY. Control lane; no entry waits for the screen. -ENOENT: no such connector; -ENXIO: nothing is plugged
 * into it; -EINVAL: another argument is wrong. Lists: at most max are written, *out_count says how many there are. A connector whose
 * screen is pulled out has no mode, cursor and variable refresh any more, and its power state is on again.
 */
typedef struct {
    uint64_t vtable_size;
    uint32_t version;
    /* control */
    IoResultCode (*get_connectors)(void *ctx, AccelConnectorInfo *out_connectors, uint32_t max_connectors, uint32_t *out_count);
    /* control; none while nothing is plugged in */
    IoResultCode (*get_modes)(void *ctx, uint32_t connector_id, AccelDisplayMode *out_modes, uint32_t max_modes, uint32_t *out_count);
    /* control; one of get_modes, else -EINVAL; -ENXIO. Frames begin anew. A pending flip is signalled; what is shown stays if its size is
     * the mode's, else the screen is black until the next flip */
    IoResultCode (*set_mode)(void *ctx, uint32_t connector_id, const AccelDisplayMode *mode);
    /* control; gone with its memory. -EOPNOTSUPP for the format; -EINVAL when width * height pixels do not fit into the memory */
    IoResultCode (*create_framebuffer)(void *ctx, AccelMemHandle mem, uint32_t width, uint32_t height, uint32_t format,
                                       AccelFramebufferHandle *out_fb);
    /*
     * control; the next frame shows it. out_fence: ACCEL_FENCE_DEVICE_LOCAL, its value a point that grows with each flip of the connector;
     * it is signalled when the frame begins, also when the connector is switched off or pulled out before that. -EBUSY while a flip is
     * pending; -ENXIO; -EINVAL without a mode, or when the size is not the mode's; -EPERM unless DPMS is on; -ESTALE no such framebuffer
     */
    IoResultCode (*page_flip)(void *ctx, uint32_t connector_id, AccelFramebufferHandle fb, AccelFence *out_fence);
    /* control; the mode stays; on after open(). -ENXIO */
    IoResultCode (*set_dpms_state)(void *ctx, uint32_t connector_id, AccelDpmsState state);
    /* control; 1 or 0 */
    IoResultCode (*get_hotplug_status)(void *ctx, uint32_t connector_id, uint8_t *out_connected);
    /* control; blocks of 128 bytes; -ENXIO */
    IoResultCode (*read_edid)(void *ctx, uint32_t connector_id, uint8_t *out_edid, uint32_t max_size, uint32_t *out_size);
    /*
     * control; optional; width * height words of ISLE_FORMAT_XRGB8888 whose upper 8 bits are the opacity (not premultiplied), copied before
     * this returns. hot_x, hot_y: where on the screen its upper left corner lies, as the ABI has no other place for it. A NULL image of
     * 0 x 0 takes the cursor away. -EINVAL: larger than ISLE_CURSOR_MAX, or off the screen; or no mode is set
     */
    IoResultCode (*set_cursor)(void *ctx, uint32_t connector_id, const uint8_t *image, uint32_t width, uint32_t height, uint32_t hot_x,
                               uint32_t hot_y);
    /* control; optional; -EOPNOTSUPP when the screen has no range of refresh rates; -EINVAL without a mode; -ENXIO */
    IoResultCode (*set_vrr_enabled)(void *ctx, uint32_t connector_id, uint8_t enabled);
} AccelDisplayVTable;

#define ISLE_MAX_CONNECTORS 64u /* of a device */
#define ISLE_MAX_MODES 256u     /* of a connector */
#define ISLE_EDID_BLOCK 128u
#define ISLE_EDID_MAX 32768u
#define ISLE_CURSOR_MAX 64u     /* pixels a side */
#define ISLE_MODE_MAX 16384u    /* pixels a side */

/* What fault management watches [42.3.4]. */
typedef struct {
    uint32_t temperature_mc; /* thousandths of a degree Celsius */
    uint32_t power_mw;
    uint64_t ecc_correctable;
    uint64_t ecc_uncorrectable;
    uint32_t throttle_count; /* times that clocks were held down for heat */
    uint32_t error_code;     /* the device's newest; 0: none */
    uint32_t pcie_replay_count;
    uint8_t _pad[20];
} AccelHealthData;

/* ---- Isle's own part ---- */

/* Interface ids for isle_driver.get_interface. */
#define ISLE_IFACE_ACCEL_BASE 0x0001u
#define ISLE_IFACE_ACCEL_COMPUTE 0x0002u
#define ISLE_IFACE_ACCEL_DISPLAY 0x0003u
#define ISLE_IFACE_RDMA 0x0004u            /* reserved */
#define ISLE_IFACE_PROGRAMS 0x0100u
#define ISLE_IFACE_SHARED_MEMORY 0x0101u
#define ISLE_IFACE_PARTITIONS 0x0102u      /* reserved */
#define ISLE_IFACE_POWER 0x0103u
#define ISLE_IFACE_HEALTH 0x0104u
#define ISLE_IFACE_PAGE_RETIREMENT 0x0105u
#define ISLE_IFACE_SCANOUT 0x0106u
#define ISLE_IFACE_EXECUTION 0x0107u
#define ISLE_IFACE_HPU 0x0108u
#define ISLE_IFACE_FAULT_INJECTION 0x01f0u

/* A command envelope: header, waits, bindings, ops; little-endian, 8-byte aligned, offsets from its start. */
#define ISLE_COMMAND_MAGIC 0x444d4349u /* "ICMD" */
#define ISLE_COMMAND_VERSION 1u

typedef struct {
    uint32_t magic;
    uint16_t version;
    uint16_t header_size;     /* 64 */
    uint32_t total_length;    /* bytes, multiple of 8 */
    uint32_t wait_count;      /* isle_wait[] right after the header */
    uint32_t binding_count;   /* isle_binding[] right after the waits */
    uint32_t op_count;        /* ops right after the bindings */
    uint64_t tag;             /* written by the core: what to put into isle_completion.tag */
    uint8_t _pad[32];
} isle_command;

typedef struct {
    uint64_t timeline; /* core id; resolved by the core before the driver sees the command */
    uint64_t point;
} isle_wait;

#define ISLE_ACCESS_READ 1u
#define ISLE_ACCESS_WRITE 2u
#define ISLE_ACCESS_PROGRAM 4u /* the binding names a program, offset and length are 0 */
/* With READ or WRITE, for drivers with isle_programs_vtable.kernel. They have a meaning where the device works on a copy of memory that the
 * CPU sees: nothing is copied in, so that work finds the copy as earlier work left it, zeros at first; nothing is copied back, so that the
 * CPU does not see what work wrote. A binding without them copies its whole range, whatever was done before. */
#define ISLE_ACCESS_NO_COPY_IN 8u
#define ISLE_ACCESS_NO_COPY_BACK 16u

typedef struct {
    uint64_t object; /* AccelMemHandle or isle_program_handle */
    uint64_t offset;
    uint64_t length;
    uint32_t access;
    uint32_t _pad;
} isle_binding;

/* Ops name memory by binding index; offsets in ops are relative to the binding's offset. */
enum { ISLE_OP_COPY = 1, ISLE_OP_FILL = 2, ISLE_OP_DISPATCH = 3, ISLE_OP_VENDOR = 4, ISLE_OP_LAUNCH = 5 };

typedef struct {
    uint16_t code;
    uint16_t flags;  /* 0 */
    uint32_t length; /* of the whole op, multiple of 8 */
} isle_op;

typedef struct {
    isle_op op; /* length 40 */
    uint32_t dst, src;
    uint64_t dst_offset, src_offset, bytes;
} isle_op_copy;

typedef struct {
    isle_op op; /* length 32 */
    uint32_t dst;
    uint32_t pattern; /* repeated from offset on; a last partial word takes its low bytes */
    uint64_t offset, bytes;
} isle_op_fill;

enum {
    ISLE_ARG_BUFFER = 1,
    ISLE_ARG_U32 = 2,
    ISLE_ARG_I32 = 3,
    ISLE_ARG_U64 = 4,
    ISLE_ARG_I64 = 5,
    ISLE_ARG_F32 = 6,
    ISLE_ARG_F64 = 7
};

/* Further kinds, of the arguments of a launch only. */
enum { ISLE_ARG_LOCAL = 8, ISLE_ARG_BYTES = 9 };

typedef struct {
    uint32_t kind;
    uint32_t binding; /* ISLE_ARG_BUFFER: binding index; ISLE_ARG_BYTES: offset in the tail; else 0 */
    uint64_t value;   /* scalar's bits, low-aligned; ISLE_ARG_BUFFER: 0; ISLE_ARG_LOCAL: bytes of local memory, ISLE_ARG_BYTES: bytes of
                       * the tail, each at least 1 */
} isle_arg;

typedef struct {
    isle_op op; /* length 32 + 16 * arg_count */
    uint32_t program; /* binding index */
    uint32_t entry;
    uint32_t x, y, z; /* work items, each >= 1 */
    uint32_t arg_count;
    isle_arg args[];
} isle_op_dispatch;

#define ISLE_LAUNCH_ARGS 64u
#define ISLE_LAUNCH_TAIL 1024u

/*
 * A kernel as host programs start it, for drivers with isle_programs_vtable.kernel. size is a number of work items, local of those of a
 * work-group; size and local multiplied fit into 64 and 32 bits, and offset + size into 64. A driver refuses, with -EINVAL and a line in
 * the log: a local size that does not divide the size or is not the one that the kernel requires, and more work items or local memory in
 * a group than the device has.
 */
typedef struct {
    isle_op op; /* length 96 + 16 * arg_count + tail_bytes, rounded up to a multiple of 8 */
    uint32_t program; /* binding index */
    uint32_t entry;
    uint32_t dimensions; /* 1 to 3; in the others size is 1, offset and local are 0 */
    uint32_t arg_count;  /* <= ISLE_LAUNCH_ARGS */
    uint32_t tail_bytes; /* right after the arguments, <= ISLE_LAUNCH_TAIL */
    uint32_t _pad;       /* 0 */
    uint64_t size[3];    /* each >= 1 */
    uint64_t offset[3];  /* of the first global id */
    uint32_t local[3];   /* 0 in all dimensions: the driver chooses */
    uint32_t _pad2;      /* 0 */
    isle_arg args[];
} isle_op_launch;

typedef struct {
    uint64_t tag;
    uint32_t status; /* AccelCompletionStatus */
    int32_t detail;  /* 0 or a negated errno (ERROR, -EHWPOISON: memory with an uncorrectable error; ERROR, -ENODEV: the device is
                      * gone, the core opens it anew; PREEMPTED, -EAGAIN: it has not begun, the core starts it again in its turn;
                      * PREEMPTED, -ENODEV: both; PREEMPTED, -ERESTART: the driver keeps how far it is and goes on with it when the
                      * core submits the same envelope again, as the context's next one; PREEMPTED, -ETIMEDOUT: its execution
                      * limit had passed), or a count for PARTIAL_ERROR */
    uint64_t start_ns, end_ns;
    uint64_t busy_ns; /* summed over compute units; 0: not known */
} isle_completion;

/* Memory that core, driver and tenants' mappings see alike, wherever the driver runs. */
typedef struct {
    uint32_t segment; /* the core's number of the segment */
    uint32_t _pad;
    uint64_t offset;  /* in the segment */
    uint64_t size;
    void *pointer;    /* in this process */
} isle_shared;

enum { ISLE_LOG_ERROR = 0, ISLE_LOG_WARN = 1, ISLE_LOG_INFO = 2, ISLE_LOG_DEBUG = 3 };

/* Services of the core, one table a device; every entry may be called from any thread of the driver. */
typedef struct {
    uint64_t vtable_size;
    uint32_t version;
    uint32_t _pad;
    void *core; /* first argument of each entry */
    /* wait-free; -ESTALE when the tag is not in flight, -EINVAL for a bad field. May be called before submit_commands returns. */
    IoResultCode (*complete)(void *core, const isle_completion *completion);
    void (*log)(void *core, uint32_t level, const char *text);
    uint64_t (*now_ns)(void *core);
    /* zeroed memory in the context's heap; -ENOMEM, -EINVAL; alignment a power of two; never waits for the core */
    IoResultCode (*alloc_shared)(void *core, AccelContextHandle context, uint64_t size, uint64_t alignment, isle_shared *out);
    IoResultCode (*free_shared)(void *core, const isle_shared *shared);
    /* wait-free; the work of a submission has begun on the engine: its execution limit counts from here. Present when vtable_size
     * covers it (ISLE_CORE_HAS). A driver that never calls it is bounded by its progress alone. */
    void (*started)(void *core, uint64_t tag, uint64_t start_ns);
} isle_core;

/* Whether a core is new enough for an entry; entries up to free_shared are always there. */
#define ISLE_CORE_HAS(core_, entry) \
    ((core_)->vtable_size >= offsetof(isle_core, entry) + sizeof((core_)->entry) && (core_)->entry)

enum { ISLE_SETTING_INT = 1, ISLE_SETTING_BYTES = 2, ISLE_SETTING_BOOL = 3, ISLE_SETTING_STRING = 4, ISLE_SETTING_ENUM = 5 };

/* A setting of the driver, checked by the core before open(). */
typedef struct {
    const char *key;
    uint32_t type;
    uint32_t _pad;
    int64_t min, max;          /* INT, BYTES */
    const char *choices;       /* ENUM: comma-separated */
    const char *default_value; /* as text */
    const char *help;
} isle_setting;

/* Of each setting there is one: INT and BYTES in decimal digits, BOOL true or false. */
typedef struct {
    const char *key;
    const char *value;
} isle_setting_value;

/* A device that probe() found. */
typedef struct {
    char name[64];    /* unique within the driver, stable over restarts */
    char parent[64];  /* "" at the root */
    char summary[128];
} isle_device_seed;

#define ISLE_DRIVER_COMPLETES 1u /* calls isle_core.complete for every submission; else callbacks, else polling are used */

/* What isle_driver_entry returns; valid until the library is unloaded. */
typedef struct isle_driver {
    uint64_t struct_size;
    uint32_t kabi_version;
    uint32_t flags;
    const char *name;    /* [a-z][a-z0-9]{0,15}, no digit at the end: ids are name + number */
    const char *version;
    const isle_setting *settings;
    uint32_t setting_count;
    uint32_t _pad;
    /* control; touches no device */
    IoResultCode (*init)(void **out_driver);
    /* control; fills `out` for index 0, 1, ...; -ENOENT past the last: at index 0, `summary` may then say why there is none */
    IoResultCode (*probe)(void *driver, uint32_t index, isle_device_seed *out);
    /* control; `core` stays valid until close() has returned */
    IoResultCode (*open)(void *driver, const isle_device_seed *seed, const isle_setting_value *values, uint32_t value_count,
                         const isle_core *core, void **out_device);
    /* control; -ENOENT for an interface that the device lacks; the vtable stays valid until close() */
    IoResultCode (*get_interface)(void *device, uint32_t interface_id, const void **out_vtable);
    /* control; ends work in flight with ACCEL_COMPLETION_ERROR and joins every thread of the device */
    IoResultCode (*close)(void *device);
    /* control; nothing of the driver runs afterwards */
    void (*fini)(void *driver);
} isle_driver;

/* The one exported symbol of a driver; NULL when the driver cannot work with this `kabi` (the core's version). */
#define ISLE_DRIVER_ENTRY "isle_driver_entry"
typedef const isle_driver *(*isle_driver_entry_fn)(uint32_t kabi);
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const isle_driver *isle_driver_entry(uint32_t kabi);

enum {
    ISLE_PROGRAM_BUILTIN = 1,
    ISLE_PROGRAM_OPENCL_C = 2,
    ISLE_PROGRAM_SPIRV = 3,
    ISLE_PROGRAM_PTX = 4,
    ISLE_PROGRAM_HANDLERS = 5 /* of packets, a file of spin-cc. No submission names them: they are for ISLE_IFACE_HPU */
};

typedef struct {
    char name[64];
    uint32_t entry;
    uint32_t arg_count;      /* <= 16 */
    uint8_t arg_kinds[16];   /* ISLE_ARG_* */
    uint8_t arg_access[16];  /* ISLE_ACCESS_* of buffers */
} isle_program_entry;

#define ISLE_KERNEL_TEXT 192u

/* An argument of a kernel. */
typedef struct {
    char name[64];    /* "": not known; longer ones are cut */
    char type[64];    /* as the source writes it; "": not known; longer ones are cut */
    uint32_t kind;    /* ISLE_ARG_*; 0 where no launch can give it */
    uint32_t access;  /* of a buffer: ISLE_ACCESS_READ, ISLE_ACCESS_WRITE, or both; else 0 */
    uint32_t bytes;   /* of the value; of a buffer or local memory: of one element, 0: not known; at most ISLE_LAUNCH_TAIL */
    uint32_t element; /* kind of the scalars in a vector, or in an element of a buffer or of local memory; of a scalar its kind; 0: a
                       * structure, or not known */
    uint32_t lanes;   /* scalars in that: 1, 2, 3 (which take the room of 4), 4, 8, 16; 0: where element is 0 */
    uint32_t _pad;
} isle_kernel_arg;

/* A kernel of a program. Texts are NUL-terminated. */
typedef struct {
    char name[256];
    uint32_t entry;
    uint32_t arg_count;     /* <= ISLE_LAUNCH_ARGS; of a kernel that cannot be used perhaps 0 */
    uint32_t group_size[3]; /* the work-group size that the kernel requires; 0: none */
    uint32_t max_group;     /* most work items in a work-group of it; 0: not known */
    uint64_t local_bytes;   /* local memory of a work-group, without what arguments add */
    uint64_t private_bytes; /* private memory of a work item; 0: none, or not known */
    char needs_group_size[ISLE_KERNEL_TEXT]; /* what makes its results depend on a work-group size that it does not require, for people
                                              * ("get_local_id in function sum, line 12"); "": nothing does */
    char unusable[ISLE_KERNEL_TEXT];         /* why no launch can have it, a sentence without a full stop; "": it can be used */
    isle_kernel_arg args[ISLE_LAUNCH_ARGS];
} isle_kernel;

#define ISLE_SOURCE_FILES 64u     /* of one program, headers included */
#define ISLE_FILE_MAX (1u << 20)  /* bytes of a file */
#define ISLE_FILES_MAX (4u << 20) /* bytes of all files of a program */
#define ISLE_FILE_NAME 255u       /* bytes of a name */

/* A file of a program. */
typedef struct {
    const char *name;    /* NUL-terminated: a relative path, parts separated by '/', none of them empty, "." or ".."; without control
                          * characters, '"' and '\\' */
    const uint8_t *text; /* not NUL-terminated, and without NUL */
    uint64_t length;     /* may be 0 */
} isle_source_file;

/* Interface ISLE_IFACE_PROGRAMS. */
typedef struct {
    uint64_t vtable_size;
    uint32_t version;
    uint32_t kinds; /* bit set of 1 << ISLE_PROGRAM_* */
    /* control; asked for its kinds only; `source`: 1 byte to 1 MiB, not NUL-terminated, good until the call returns; of a builtin the name.
     * A failed build is -EINVAL and writes its log into `log` (NUL-terminated). -ENOENT unknown builtin */
    IoResultCode (*load)(void *ctx, AccelContextHandle context, uint32_t kind, const uint8_t *source, uint64_t length, char *log,
                         uint64_t log_size, isle_program_handle *out_program);
    /* control */
    IoResultCode (*unload)(void *ctx, isle_program_handle program);
    /* control; -ENOENT past the last entry */
    IoResultCode (*describe)(void *ctx, isle_program_handle program, uint32_t entry, isle_program_entry *out);
    /* control; names of builtins; -ENOENT past the last */
    IoResultCode (*builtin)(void *ctx, uint32_t index, isle_program_entry *out);
    /* control; optional; load() with build options in the words of the kind's compiler, NUL-terminated, at most 4096 bytes. Without it a
     * program that has options is not supported */
    IoResultCode (*build)(void *ctx, AccelContextHandle context, uint32_t kind, const uint8_t *source, uint64_t length, const char *options,
                          char *log, uint64_t log_size, isle_program_handle *out_program);
    /* control; optional; `out` is zeroed; describes every kernel of a program, those that cannot be used and those that a dispatch cannot
     * have included; what describe() has comes first, under the same numbers. -ENOENT past the last. A driver that has it takes
     * ISLE_OP_LAUNCH of what it describes, and the bits ISLE_ACCESS_NO_COPY_*; to others the core sends neither */
    IoResultCode (*kernel)(void *ctx, isle_program_handle program, uint32_t entry, isle_kernel *out);
    /* control; optional, with the kind ISLE_PROGRAM_OPENCL_C; build() of a program of several files: compiles each of `files`, at least 1,
     * and links them. A text includes another one, also one of `files`, as #include "NAME": relative to itself or to the root of all names.
     * No name is there twice or is the folder of another one; all are good until the call returns. The log names files by their names */
    IoResultCode (*sources)(void *ctx, AccelContextHandle context, const isle_source_file *files, uint32_t file_count,
                            const isle_source_file *headers, uint32_t header_count, const char *options, char *log, uint64_t log_size,
                            isle_program_handle *out_program);
} isle_programs_vtable;

/* Interface ISLE_IFACE_SHARED_MEMORY. */
typedef struct {
    uint64_t vtable_size;
    uint32_t version;
    uint32_t _pad;
    /* control; where device memory lies; -ENOTSUP for memory outside every shared segment */
    IoResultCode (*locate)(void *ctx, AccelMemHandle memory, isle_shared *out);
    /* control; optional; makes core memory usable as device memory of the context */
    IoResultCode (*import_shared)(void *ctx, AccelContextHandle context, const isle_shared *shared, AccelMemHandle *out_memory);
} isle_shared_memory_vtable;

/* Interface ISLE_IFACE_POWER. */
typedef struct {
    uint64_t vtable_size;
    uint32_t version;
    uint32_t states; /* bit set of 1 << ACCEL_POWER_*; D0 always */
    /* control; D1 keeps contexts and memory, and runs what work there is at the lowest clock. -EOPNOTSUPP for a state it lacks */
    IoResultCode (*set_state)(void *ctx, AccelPowerLevel state);
} isle_power_vtable;

/* Interface ISLE_IFACE_HEALTH. */
typedef struct {
    uint64_t vtable_size;
    uint32_t version;
    uint32_t _pad;
    /* control; counters only grow while the device is open */
    IoResultCode (*get_health)(void *ctx, AccelHealthData *out);
} isle_health_vtable;

/* Interface ISLE_IFACE_PAGE_RETIREMENT. Work that touches a faulty page ends with ERROR and -EHWPOISON until the page is retired. */
typedef struct {
    uint64_t vtable_size;
    uint32_t version;
    uint32_t page_bytes;
    /* control; pages in use with an uncorrectable error, by index; -ENOENT past the last */
    IoResultCode (*faulty)(void *ctx, uint32_t index, AccelMemHandle *out_memory, uint64_t *out_offset, uint64_t *out_length);
    /* control; healthy, zeroed memory takes the place of the faulty pages of the range, at the same address; -EINVAL when none is */
    IoResultCode (*retire)(void *ctx, AccelMemHandle memory, uint64_t offset, uint64_t length);
    /* control; pages retired since open() */
    IoResultCode (*retired)(void *ctx, uint64_t *out_pages);
} isle_page_retirement_vtable;

/* What a connector sends to its screen. Times and counts are 0 until the first frame after set_mode. */
typedef struct {
    uint64_t point;       /* of the newest flip that is signalled; 0: none yet */
    uint64_t flip_ns;     /* when the frame of that flip began */
    uint64_t frames;      /* begun since open() */
    uint64_t frame_ns;    /* when the newest began */
    uint64_t next_ns;     /* when the next one will begin if nothing is changed meanwhile; 0: no frames (no mode, not connected, DPMS not on) */
    AccelDisplayMode mode; /* all 0 without one */
    AccelDpmsState dpms;
    uint32_t vrr_min_millihz, vrr_max_millihz; /* 0: fixed rates only */
    uint32_t hotplugs;    /* times that it was plugged in or pulled out since open() */
    uint8_t connected;
    uint8_t vrr_enabled;
    uint8_t cursor;       /* one is shown */
    uint8_t pending;      /* a flip is */
    uint8_t _pad[8];
} isle_scanout_status;

/* Interface ISLE_IFACE_SCANOUT: how the core hears of flips, and what is on a screen. */
typedef struct {
    uint64_t vtable_size;
    uint32_t version;
    uint32_t _pad;
    /* control; -ENOENT */
    IoResultCode (*status)(void *ctx, uint32_t connector_id, isle_scanout_status *out);
    /*
     * control; optional; whole lines of what the screen shows now, cursor and all, as ISLE_FORMAT_XRGB8888 with 0 in the upper 8 bits: at
     * most line_count of them from first_line on, and as many as fit into size bytes. *out_lines: how many; *out_point: the newest flip
     * shown. -EINVAL without a mode or when first_line is below the screen; -ENXIO; black while DPMS is not on
     */
    IoResultCode (*read)(void *ctx, uint32_t connector_id, uint32_t first_line, uint32_t line_count, uint8_t *out, uint32_t size,
                         uint32_t *out_lines, uint64_t *out_point);
} isle_scanout_vtable;

/* Kernels are code of the driver's process: nothing keeps one from what else is there. */
#define ISLE_EXECUTION_IN_PROCESS 1u

/* Interface ISLE_IFACE_EXECUTION: what a driver says of how kernels run. It has no entries; a driver without it says nothing. */
typedef struct {
    uint64_t vtable_size;
    uint32_t version;
    uint32_t flags; /* ISLE_EXECUTION_*; bits that the core does not know are ignored */
} isle_execution_vtable;

#define ISLE_HPU_MEMORIES 6u

/* What the HPUs of a context can have, and the settings of the device, which limits repeat or lower. */
typedef struct {
    uint32_t version; /* of isle_spin.h */
    uint32_t clusters, cores, queues;
    uint64_t program_bytes; /* of a program in memory, at most */
    uint32_t frame_bytes;
    uint32_t hpu_mhz;
    uint32_t handler_limit_us, host_wait_ms, trap_limit, hpu_spin_us;
} isle_hpu_caps;

/* handler_limit_us (at least 1) and host_wait_ms: at most the device's. */
typedef struct {
    uint32_t handler_limit_us; /* of CPU time for a handler; 20 times as much of any time */
    uint32_t host_wait_ms;     /* that a handler may wait for the host */
    uint32_t trap_limit;       /* so many traps in a row end the taking of tasks; 0: none */
    uint32_t hpu_spin_us;      /* that an idle HPU spins before it sleeps; at most 1000000 */
} isle_hpu_limits;

typedef struct {
    uint32_t attached;
    uint32_t handlers; /* bit set: 1 header, 2 packet, 4 tail */
    uint32_t stopped;  /* by trap_limit */
    /* of the newest trap, 0 before the first: ISLE_SPIN_* of isle_spin.h */
    uint32_t cause;
    uint32_t handler, hpu;
    uint32_t instruction; /* offset in the program; 0: outside of it */
    uint32_t _pad;
    uint64_t address; /* that was accessed */
    uint64_t tasks, traps, refused;
} isle_hpu_report;

/*
 * Interface ISLE_IFACE_HPU: threads of the driver's process run handlers on packets. The core's side is a NIC: it writes tasks into the
 * context's memory and takes what they sent from there (isle_spin.h).
 */
typedef struct {
    uint64_t vtable_size;
    uint32_t version;
    uint32_t _pad;
    /* control */
    IoResultCode (*caps)(void *ctx, isle_hpu_caps *out);
    /*
     * control; the program's handlers, on the context's memories: rings (isle_spin_rings), packets, handler memory, scratchpads (by cluster,
     * then queue), __host_data, host pages; handler memory and host pages may be 0. Rings and __host_data are zeroed. Until detach, no
     * memory of them can be freed (-EBUSY). -EBUSY: attached already. -EINVAL and why (NUL-terminated, at most why_size bytes): a size, a
     * limit, or the program is wrong
     */
    IoResultCode (*attach)(void *ctx, AccelContextHandle context, isle_program_handle program, const AccelMemHandle memories[ISLE_HPU_MEMORIES],
                           const isle_hpu_limits *limits, char *why, uint64_t why_size);
    /* control; ends what runs before it returns; memories keep what they have. -ENOENT: not attached. So do reset_context, reset_device,
     * destroy_context and close */
    IoResultCode (*detach)(void *ctx, AccelContextHandle context);
    /* control; of what is attached; all 0 without */
    IoResultCode (*report)(void *ctx, AccelContextHandle context, isle_hpu_report *out);
} isle_hpu_vtable;

enum {
    ISLE_FAULT_LATENCY = 1,         /* value: added ns */
    ISLE_FAULT_CONTEXT_ERROR = 2,
    ISLE_FAULT_PARTIAL_ERROR = 3,
    ISLE_FAULT_HANG = 4,
    ISLE_FAULT_SEGV = 5,
    ISLE_FAULT_ABORT = 6,
    ISLE_FAULT_EXIT = 7,
    ISLE_FAULT_LOST_COMPLETION = 8,
    ISLE_FAULT_ECC_CORRECTABLE = 9,    /* only counted */
    ISLE_FAULT_ECC_UNCORRECTABLE = 10, /* a page that the submission names becomes unreadable */
    ISLE_FAULT_THROTTLE = 11,          /* value: ns that clocks are held down */
    ISLE_FAULT_PCIE_REPLAY = 12,       /* value: how many, at least one; only counted */
    ISLE_FAULT_HOTPLUG = 13            /* value: a connector; what is plugged in is pulled out and the other way round, `count` times, at
                                        * once (`after` is 0); -ENOENT: no such connector; -EINVAL: a device without a display */
};

/* Interface ISLE_IFACE_FAULT_INJECTION; present only when the device's settings allow it. */
typedef struct {
    uint64_t vtable_size;
    uint32_t version;
    uint32_t _pad;
    /* control; after `after` further submissions, the next `count` meet the fault */
    IoResultCode (*inject)(void *ctx, uint32_t fault, uint64_t after, uint64_t count, uint64_t value);
} isle_fault_injection_vtable;

#ifdef __cplusplus
}
#endif
#endif
