/*
 * What this driver uses of OpenCL 1.2 to 3.0, declared from the specification: no OpenCL header or library is needed to build. The
 * functions are looked up in the loader library at run time; those marked optional may be missing.
 */
#ifndef ISLE_OPENCL_CL_H
#define ISLE_OPENCL_CL_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t cl_int;
typedef uint32_t cl_uint, cl_bool;
typedef uint64_t cl_ulong, cl_bitfield;
typedef intptr_t cl_property;
typedef struct cl_platform *cl_platform_id;
typedef struct cl_device *cl_device_id;
typedef struct cl_context_object *cl_context;
typedef struct cl_queue *cl_command_queue;
typedef struct cl_memory *cl_mem;
typedef struct cl_program_object *cl_program;
typedef struct cl_kernel_object *cl_kernel;
typedef struct cl_event_object *cl_event;

#define CL_SUCCESS 0
#define CL_DEVICE_NOT_FOUND (-1)
#define CL_DEVICE_NOT_AVAILABLE (-2)
#define CL_COMPILER_NOT_AVAILABLE (-3)
#define CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)
#define CL_OUT_OF_RESOURCES (-5)
#define CL_OUT_OF_HOST_MEMORY (-6)
#define CL_PROFILING_INFO_NOT_AVAILABLE (-7)
#define CL_BUILD_PROGRAM_FAILURE (-11)
#define CL_MISALIGNED_SUB_BUFFER_OFFSET (-13)
#define CL_COMPILE_PROGRAM_FAILURE (-15)
#define CL_LINKER_NOT_AVAILABLE (-16)
#define CL_LINK_PROGRAM_FAILURE (-17)
#define CL_KERNEL_ARG_INFO_NOT_AVAILABLE (-19)
#define CL_INVALID_VALUE (-30)
#define CL_INVALID_CONTEXT (-34)
#define CL_INVALID_COMMAND_QUEUE (-36)
#define CL_INVALID_OPERATION (-59)
#define CL_INVALID_BUFFER_SIZE (-61)
#define CL_INVALID_LINKER_OPTIONS (-67)
#define CL_INVALID_LAST (-72)
#define CL_PLATFORM_NOT_FOUND_KHR (-1001)

#define CL_FALSE 0u
#define CL_TRUE 1u
#define CL_COMPLETE 0
#define CL_RUNNING 1

#define CL_PLATFORM_VERSION 0x0901u
#define CL_PLATFORM_NAME 0x0902u

#define CL_DEVICE_TYPE 0x1000u
#define CL_DEVICE_MAX_COMPUTE_UNITS 0x1002u
#define CL_DEVICE_MAX_WORK_GROUP_SIZE 0x1004u
#define CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT 0x100Au
#define CL_DEVICE_MAX_CLOCK_FREQUENCY 0x100Cu
#define CL_DEVICE_MAX_MEM_ALLOC_SIZE 0x1010u
#define CL_DEVICE_MEM_BASE_ADDR_ALIGN 0x1019u
#define CL_DEVICE_GLOBAL_MEM_SIZE 0x101Fu
#define CL_DEVICE_LOCAL_MEM_SIZE 0x1023u
#define CL_DEVICE_AVAILABLE 0x1027u
#define CL_DEVICE_COMPILER_AVAILABLE 0x1028u
#define CL_DEVICE_NAME 0x102Bu
#define CL_DRIVER_VERSION 0x102Du
#define CL_DEVICE_VERSION 0x102Fu
#define CL_DEVICE_LINKER_AVAILABLE 0x103Eu
#define CL_DEVICE_PARTITION_MAX_SUB_DEVICES 0x1043u
#define CL_DEVICE_SVM_CAPABILITIES 0x1053u
#define CL_DEVICE_SVM_COARSE_GRAIN_BUFFER (1u << 0)
#define CL_DEVICE_IL_VERSION 0x105Bu
#define CL_DEVICE_TYPE_CPU (1u << 1)
#define CL_DEVICE_TYPE_GPU (1u << 2)
#define CL_DEVICE_TYPE_ALL 0xFFFFFFFFu
#define CL_DEVICE_PARTITION_BY_COUNTS 0x1087

#define CL_QUEUE_PROFILING_ENABLE (1u << 1)
#define CL_CONTEXT_PLATFORM 0x1084

#define CL_MEM_READ_WRITE (1u << 0)
#define CL_MEM_WRITE_ONLY (1u << 1)
#define CL_MEM_READ_ONLY (1u << 2)
#define CL_MEM_USE_HOST_PTR (1u << 3)
#define CL_BUFFER_CREATE_TYPE_REGION 0x1220u
typedef struct {
    size_t origin, size;
} cl_buffer_region;

#define CL_PROGRAM_BINARY_SIZES 0x1165u
#define CL_PROGRAM_BINARIES 0x1166u
#define CL_PROGRAM_BUILD_LOG 0x1183u

#define CL_KERNEL_FUNCTION_NAME 0x1190u
#define CL_KERNEL_NUM_ARGS 0x1191u
#define CL_KERNEL_EXEC_INFO_SVM_PTRS 0x11B6u
#define CL_KERNEL_ARG_ADDRESS_QUALIFIER 0x1196u
#define CL_KERNEL_ARG_ACCESS_QUALIFIER 0x1197u
#define CL_KERNEL_ARG_TYPE_NAME 0x1198u
#define CL_KERNEL_ARG_TYPE_QUALIFIER 0x1199u
#define CL_KERNEL_ARG_ADDRESS_GLOBAL 0x119Bu
#define CL_KERNEL_ARG_ADDRESS_LOCAL 0x119Cu
#define CL_KERNEL_ARG_ADDRESS_CONSTANT 0x119Du
#define CL_KERNEL_ARG_ADDRESS_PRIVATE 0x119Eu
#define CL_KERNEL_ARG_NAME 0x119Au
#define CL_KERNEL_ARG_ACCESS_NONE 0x11A3u
#define CL_KERNEL_ARG_TYPE_CONST (1u << 0)
#define CL_KERNEL_ARG_TYPE_PIPE (1u << 3)
#define CL_KERNEL_WORK_GROUP_SIZE 0x11B0u
#define CL_KERNEL_COMPILE_WORK_GROUP_SIZE 0x11B1u
#define CL_KERNEL_LOCAL_MEM_SIZE 0x11B2u
#define CL_KERNEL_PRIVATE_MEM_SIZE 0x11B4u

#define CL_EVENT_COMMAND_EXECUTION_STATUS 0x11D3u

#define CL_PROFILING_COMMAND_START 0x1282u
#define CL_PROFILING_COMMAND_END 0x1283u

typedef void (*cl_event_notify)(cl_event event, cl_int status, void *user);

/* X(result, name, parameters) */
#define CL_FUNCTIONS(X)                                                                                                                \
    X(cl_int, GetPlatformIDs, (cl_uint, cl_platform_id *, cl_uint *))                                                                  \
    X(cl_int, GetPlatformInfo, (cl_platform_id, cl_uint, size_t, void *, size_t *))                                                    \
    X(cl_int, GetDeviceIDs, (cl_platform_id, cl_bitfield, cl_uint, cl_device_id *, cl_uint *))                                         \
    X(cl_int, GetDeviceInfo, (cl_device_id, cl_uint, size_t, void *, size_t *))                                                        \
    X(cl_context, CreateContext, (const cl_property *, cl_uint, const cl_device_id *, void (*)(const char *, const void *, size_t, void *), void *, cl_int *)) \
    X(cl_int, ReleaseContext, (cl_context))                                                                                            \
    X(cl_command_queue, CreateCommandQueue, (cl_context, cl_device_id, cl_bitfield, cl_int *))                                         \
    X(cl_int, ReleaseCommandQueue, (cl_command_queue))                                                                                 \
    X(cl_mem, CreateBuffer, (cl_context, cl_bitfield, size_t, void *, cl_int *))                                                       \
    X(cl_mem, CreateSubBuffer, (cl_mem, cl_bitfield, cl_uint, const void *, cl_int *))                                                 \
    X(cl_int, ReleaseMemObject, (cl_mem))                                                                                              \
    X(cl_program, CreateProgramWithSource, (cl_context, cl_uint, const char **, const size_t *, cl_int *))                             \
    X(cl_program, CreateProgramWithBinary, (cl_context, cl_uint, const cl_device_id *, const size_t *, const unsigned char **, cl_int *, cl_int *)) \
    X(cl_int, BuildProgram, (cl_program, cl_uint, const cl_device_id *, const char *, void (*)(cl_program, void *), void *))            \
    X(cl_int, GetProgramInfo, (cl_program, cl_uint, size_t, void *, size_t *))                                                         \
    X(cl_int, GetProgramBuildInfo, (cl_program, cl_device_id, cl_uint, size_t, void *, size_t *))                                      \
    X(cl_int, ReleaseProgram, (cl_program))                                                                                            \
    X(cl_int, CreateKernelsInProgram, (cl_program, cl_uint, cl_kernel *, cl_uint *))                                                   \
    X(cl_int, GetKernelInfo, (cl_kernel, cl_uint, size_t, void *, size_t *))                                                           \
    X(cl_int, GetKernelArgInfo, (cl_kernel, cl_uint, cl_uint, size_t, void *, size_t *))                                               \
    X(cl_int, GetKernelWorkGroupInfo, (cl_kernel, cl_device_id, cl_uint, size_t, void *, size_t *))                                    \
    X(cl_int, SetKernelArg, (cl_kernel, cl_uint, size_t, const void *))                                                                \
    X(cl_int, ReleaseKernel, (cl_kernel))                                                                                              \
    X(cl_int, EnqueueNDRangeKernel, (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint, const cl_event *, cl_event *)) \
    X(cl_int, EnqueueReadBuffer, (cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *))   \
    X(cl_int, EnqueueWriteBuffer, (cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint, const cl_event *, cl_event *)) \
    X(cl_int, EnqueueCopyBuffer, (cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint, const cl_event *, cl_event *))    \
    X(cl_int, EnqueueFillBuffer, (cl_command_queue, cl_mem, const void *, size_t, size_t, size_t, cl_uint, const cl_event *, cl_event *)) \
    X(cl_int, EnqueueMarkerWithWaitList, (cl_command_queue, cl_uint, const cl_event *, cl_event *))                                    \
    X(cl_int, SetEventCallback, (cl_event, cl_int, cl_event_notify, void *))                                                           \
    X(cl_int, GetEventInfo, (cl_event, cl_uint, size_t, void *, size_t *))                                                             \
    X(cl_int, GetEventProfilingInfo, (cl_event, cl_uint, size_t, void *, size_t *))                                                    \
    X(cl_int, ReleaseEvent, (cl_event))                                                                                                \
    X(cl_int, Flush, (cl_command_queue))                                                                                               \
    X(cl_int, Finish, (cl_command_queue))

#define CL_OPTIONAL_FUNCTIONS(X)                                                                        \
    X(cl_program, CreateProgramWithIL, (cl_context, const void *, size_t, cl_int *))                    \
    X(cl_int, CreateSubDevices, (cl_device_id, const cl_property *, cl_uint, cl_device_id *, cl_uint *)) \
    X(cl_int, ReleaseDevice, (cl_device_id))                                                            \
    X(cl_int, CompileProgram, (cl_program, cl_uint, const cl_device_id *, const char *, cl_uint, const cl_program *, const char **, void (*)(cl_program, void *), void *)) \
    X(cl_program, LinkProgram, (cl_context, cl_uint, const cl_device_id *, const char *, cl_uint, const cl_program *, void (*)(cl_program, void *), void *, cl_int *)) \
    CL_SVM_FUNCTIONS(X)

#define CL_SVM_FUNCTIONS(X)                                                                                                         \
    X(void *, SVMAlloc, (cl_context, cl_bitfield, size_t, cl_uint))                                                                 \
    X(void, SVMFree, (cl_context, void *))                                                                                          \
    X(cl_int, SetKernelArgSVMPointer, (cl_kernel, cl_uint, const void *))                                                           \
    X(cl_int, SetKernelExecInfo, (cl_kernel, cl_uint, size_t, const void *))                                                        \
    X(cl_int, EnqueueSVMMemcpy, (cl_command_queue, cl_bool, void *, const void *, size_t, cl_uint, const cl_event *, cl_event *))   \
    X(cl_int, EnqueueSVMMemFill, (cl_command_queue, void *, const void *, size_t, size_t, cl_uint, const cl_event *, cl_event *))

struct cl_api {
#define X(result, name, parameters) result(*name) parameters;
    CL_FUNCTIONS(X)
    CL_OPTIONAL_FUNCTIONS(X)
#undef X
};

/*
 * The loader library's functions, loaded once and never unloaded: implementations keep threads that nothing ends. ISLE_OPENCL_LIBRARY
 * in the environment names another library than libOpenCL.so.1. NULL with `why` when it is not there or lacks a function.
 */
const struct cl_api *cl_load(char *why, size_t why_size);

#endif
