#define _GNU_SOURCE
#include "probe.h"

#include <ctype.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* PoCL names the folder of a program's headers to its compiler as it is, and a blank ends it there. A host is in its folder. */
static bool has_blanks(const char *cache)
{
    struct stat given, here;
    return strpbrk(cache, " \t\"'") && !stat(cache, &given) && !stat(".", &here) && given.st_dev == here.st_dev && given.st_ino == here.st_ino;
}

/* Whether this process may use each processor: PoCL's workers take them by number. */
static bool has_all_processors(void)
{
    cpu_set_t allowed;
    long count = sysconf(_SC_NPROCESSORS_CONF);
    if (count < 1 || count > CPU_SETSIZE || sched_getaffinity(0, sizeof allowed, &allowed))
        return false;
    return CPU_COUNT(&allowed) == count && CPU_ISSET(count - 1, &allowed);
}

void probe_environment(void)
{
    char folder[PATH_MAX];
    const char *cache = getenv("ISLE_DRIVER_CACHE");
    if (!cache || !*cache)
        return; /* not in a process of its own */
    /* two workers on one processor, where the kernel leaves them for many milliseconds, need twice the time */
    if (has_all_processors())
        setenv("POCL_AFFINITY", "1", 0);
    if (snprintf(folder, sizeof folder, "%s/library", cache) >= (int)sizeof folder)
        return;
    mkdir(folder, 0700); /* PoCL keeps what it compiles there, and cannot do without */
    setenv("POCL_CACHE_DIR", has_blanks(cache) ? "library" : folder, 0);
    setenv("CUDA_CACHE_PATH", folder, 0);
    setenv("TMPDIR", folder, 0);
}

static void text_of(const struct cl_api *cl, cl_device_id device, cl_uint what, char *out, size_t size)
{
    size_t n = 0;
    char text[1024];
    *out = 0;
    if (cl->GetDeviceInfo(device, what, sizeof text, text, &n) || !n || n > sizeof text)
        return;
    n = n - 1 < size ? n - 1 : size - 1;
    memcpy(out, text, n);
    out[n] = 0;
}

#define ASK(what, field) cl->GetDeviceInfo(device, what, sizeof(field), &(field), NULL)

void probe_facts(const struct cl_api *cl, cl_platform_id platform, cl_device_id device, struct facts *out)
{
    cl_bool compiler = CL_FALSE, linker = CL_FALSE;
    cl_uint align_bits = 0;
    cl_bitfield svm = 0;
    char il[256];
    memset(out, 0, sizeof *out);
    text_of(cl, device, CL_DEVICE_NAME, out->name, sizeof out->name);
    text_of(cl, device, CL_DEVICE_VERSION, out->version, sizeof out->version);
    text_of(cl, device, CL_DRIVER_VERSION, out->driver, sizeof out->driver);
    text_of(cl, device, CL_DEVICE_IL_VERSION, il, sizeof il);
    char name[256];
    size_t n = 0;
    if (!cl->GetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, &n) && n && n <= sizeof name) {
        name[n - 1] = 0;
        snprintf(out->platform, sizeof out->platform, "%.63s", name);
    }
    ASK(CL_DEVICE_TYPE, out->type);
    ASK(CL_DEVICE_GLOBAL_MEM_SIZE, out->memory_bytes);
    ASK(CL_DEVICE_MAX_MEM_ALLOC_SIZE, out->most_alloc);
    ASK(CL_DEVICE_LOCAL_MEM_SIZE, out->local_bytes);
    ASK(CL_DEVICE_MAX_COMPUTE_UNITS, out->units);
    ASK(CL_DEVICE_MAX_CLOCK_FREQUENCY, out->clock_mhz);
    ASK(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, out->float_width);
    ASK(CL_DEVICE_MAX_WORK_GROUP_SIZE, out->most_group);
    ASK(CL_DEVICE_MEM_BASE_ADDR_ALIGN, align_bits);
    ASK(CL_DEVICE_COMPILER_AVAILABLE, compiler);
    ASK(CL_DEVICE_LINKER_AVAILABLE, linker);
    ASK(CL_DEVICE_SVM_CAPABILITIES, svm);
    out->align_bytes = align_bits >= 8 ? align_bits / 8 : 1;
    out->compiler = compiler == CL_TRUE;
    out->linker = out->compiler && linker == CL_TRUE && cl->CompileProgram && cl->LinkProgram;
    out->il = cl->CreateProgramWithIL && strstr(il, "SPIR-V");
    out->svm = svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
#define X(result, name, parameters) out->svm = out->svm && cl->name;
    CL_SVM_FUNCTIONS(X)
#undef X
}

/* Letters and digits of the device's name in lower case, the rest as single hyphens, and which of that name it is. */
static void name_seed(struct found *list, uint32_t index, const char *name)
{
    char slug[48];
    size_t n = 0;
    for (; *name && n < sizeof slug - 1; name++) {
        if (isalnum((unsigned char)*name))
            slug[n++] = (char)tolower((unsigned char)*name);
        else if (n && slug[n - 1] != '-')
            slug[n++] = '-';
    }
    while (n && slug[n - 1] == '-')
        n--;
    slug[n] = 0;
    uint32_t same = 0;
    for (bool again = true; again; same += again) {
        snprintf(list[index].seed.name, sizeof list[index].seed.name, "%s-%u", n ? slug : "device", same);
        again = false;
        for (uint32_t i = 0; i < index && !again; i++)
            again = !strcmp(list[i].seed.name, list[index].seed.name);
    }
}

uint32_t probe_devices(const struct cl_api *cl, struct found *out, uint32_t most)
{
    cl_platform_id platforms[32];
    cl_device_id devices[OPENCL_DEVICES];
    cl_uint platform_count = 0, count = 0;
    if (cl->GetPlatformIDs(32, platforms, &platform_count))
        return 0;
    for (cl_uint p = 0; p < platform_count && p < 32; p++) {
        cl_uint n = 0;
        if (cl->GetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, OPENCL_DEVICES, devices, &n))
            continue;
        for (cl_uint i = 0; i < n && i < OPENCL_DEVICES && count < most; i++) {
            struct facts f;
            cl_bool available = CL_FALSE;
            if (cl->GetDeviceInfo(devices[i], CL_DEVICE_AVAILABLE, sizeof available, &available, NULL) || !available)
                continue;
            probe_facts(cl, platforms[p], devices[i], &f);
            out[count] = (struct found){.platform = platforms[p], .device = devices[i]};
            name_seed(out, count, f.name);
            snprintf(out[count].seed.summary, sizeof out[count].seed.summary, "%.60s, %.50s", f.name, f.platform);
            count++;
        }
    }
    return count;
}
