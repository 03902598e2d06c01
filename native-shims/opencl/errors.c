#include "errors.h"

#include <errno.h>

#include "../kit/kit.h"

IoResultCode cl_result(struct device *d, cl_int code)
{
    switch (code) {
    case CL_SUCCESS:
        return 0;
    case CL_DEVICE_NOT_FOUND:
    case CL_DEVICE_NOT_AVAILABLE:
        if (!atomic_exchange(&d->lost, true))
            kit_log(d->core, ISLE_LOG_ERROR, "%s: the OpenCL device is no longer available", d->facts.name);
        return -ENODEV;
    case CL_COMPILER_NOT_AVAILABLE:
    case CL_LINKER_NOT_AVAILABLE:
        return IO_NOT_SUPPORTED;
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_RESOURCES:
    case CL_OUT_OF_HOST_MEMORY:
    case CL_INVALID_BUFFER_SIZE:
        return -ENOMEM;
    case CL_BUILD_PROGRAM_FAILURE:
    case CL_COMPILE_PROGRAM_FAILURE:
    case CL_LINK_PROGRAM_FAILURE:
    case CL_MISALIGNED_SUB_BUFFER_OFFSET:
        return -EINVAL;
    case CL_INVALID_CONTEXT: /* ours are good until a kernel spoils them */
    case CL_INVALID_COMMAND_QUEUE:
        return -EIO;
    default:
        /* the codes for wrong arguments; vendors' own lie far below */
        return code <= CL_INVALID_VALUE && code >= CL_INVALID_LAST ? -EINVAL : -EIO;
    }
}
