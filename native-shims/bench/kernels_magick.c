/* ImageMagick by its C interface, MagickWand of version 6 or 7, found when it is needed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "kernels.h"

enum { CHAR_PIXEL = 1, CONVOLVE_MORPHOLOGY = 1 }; /* StorageType, MorphologyMethod: alike in both */

static void (*genesis)(void);
static void *(*new_wand)(void);
static void *(*destroy_wand)(void *wand);
static int (*read_image)(void *wand, const char *file);
static size_t (*image_width)(void *wand);
static size_t (*image_height)(void *wand);
static int (*constitute_image)(void *wand, size_t columns, size_t rows, const char *map, int storage, const void *pixels);
static int (*export_pixels)(void *wand, ssize_t x, ssize_t y, size_t columns, size_t rows, const char *map, int storage, void *pixels);
static void *(*acquire_kernel)(const char *text, void *exception); /* version 6 has no second argument and leaves it alone */
static int (*morphology_image)(void *wand, int method, ssize_t iterations, void *kernel);

static const struct {
    const char *name;
    void *function;
} functions[] = {
    {"MagickWandGenesis", &genesis},
    {"NewMagickWand", &new_wand},
    {"DestroyMagickWand", &destroy_wand},
    {"MagickReadImage", &read_image},
    {"MagickGetImageWidth", &image_width},
    {"MagickGetImageHeight", &image_height},
    {"MagickConstituteImage", &constitute_image},
    {"MagickExportImagePixels", &export_pixels},
    {"AcquireKernelInfo", &acquire_kernel},
    {"MagickMorphologyImage", &morphology_image},
};

static void *wand, *kernel;

static void check(const char *what, const void *there)
{
    if (there)
        return;
    fprintf(stderr, "bench-kernels: ImageMagick: %s failed\n", what);
    exit(1);
}

/* Decimals of 1/256 are exact. */
static void *make_kernel(const int16_t *weights)
{
    char text[32 * SIDE * SIDE];
    int at = snprintf(text, sizeof text, "%ux%u:", SIDE, SIDE);
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%.8f", i ? "," : "", (double)weights[i] / DIVISOR);
    return acquire_kernel(text, NULL);
}

static const char *magick_open(void)
{
    static const char *const names[] = {"libMagickWand-6.Q16.so.6", "libMagickWand-6.Q16.so.7", "libMagickWand-7.Q16.so.10"};
    void *so = NULL;
    setenv("MAGICK_THREAD_LIMIT", "1", 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !so; i++)
        so = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!so)
        return "libMagickWand (6 or 7, Q16) is missing: apt-get install imagemagick";
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *function = dlsym(so, functions[i].name);
        if (!function)
            return "libMagickWand lacks functions that convolve-u8 needs: apt-get install imagemagick";
        memcpy(functions[i].function, &function, sizeof function);
    }
    genesis();
    return NULL;
}

uint8_t *magick_read(const char *file, uint32_t *width, uint32_t *height)
{
    const char *why = magick_open();
    if (why) {
        fprintf(stderr, "bench-kernels: %s\n", why);
        exit(1);
    }
    void *image = new_wand();
    if (!image || !read_image(image, file)) {
        fprintf(stderr, "bench-kernels: ImageMagick cannot read %s\n", file);
        exit(1);
    }
    size_t columns = image_width(image), rows = image_height(image);
    uint8_t *pixels = columns < 1u << 15 && rows < 1u << 15 ? malloc(columns * rows * CHANNELS) : NULL;
    check("room for the pixels", pixels);
    check("MagickExportImagePixels", export_pixels(image, 0, 0, columns, rows, "RGB", CHAR_PIXEL, pixels) ? pixels : NULL);
    destroy_wand(image);
    *width = (uint32_t)columns;
    *height = (uint32_t)rows;
    return pixels;
}

static void before(const struct inputs *p)
{
    if (!kernel)
        check("AcquireKernelInfo", kernel = make_kernel(p->in[1]));
    check("NewMagickWand", wand = new_wand());
    check("MagickConstituteImage", constitute_image(wand, p->width, p->height, "RGB", CHAR_PIXEL, p->in[0]) ? wand : NULL);
}

static void convolve(const struct inputs *p)
{
    (void)p;
    check("MagickMorphologyImage", morphology_image(wand, CONVOLVE_MORPHOLOGY, 1, kernel) ? wand : NULL);
}

static void after(const struct inputs *p)
{
    check("MagickExportImagePixels", export_pixels(wand, 0, 0, p->width, p->height, "RGB", CHAR_PIXEL, p->out) ? wand : NULL);
    destroy_wand(wand);
}

const struct peer magick_convolve_u8 = {
    .name = "imagemagick", .open = magick_open, .before = before, .call = convolve, .after = after};
