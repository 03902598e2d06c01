/* Images of handlers: what spin-cc makes of C. A file is hostile until spin_image_read has accepted it. */
#ifndef ISLE_SPIN_IMAGE_H
#define ISLE_SPIN_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPIN_PAGE 4096u
#define SPIN_SEGMENTS 8u
#define SPIN_HOST_DATA 256u /* bytes of __host_data */
#define SPIN_WHY 160u

struct spin_segment {
    uint32_t address, size; /* from the image's beginning; begins a page */
    uint32_t offset, bytes; /* in the file; zeros follow */
    bool writable, executable;
};

struct spin_image {
    const uint8_t *file;
    uint32_t size; /* in memory, whole pages */
    uint32_t segment_count;
    struct spin_segment segments[SPIN_SEGMENTS];
    uint32_t relocations, relocation_count; /* in the file */
    uint32_t entry;
};

/* Offsets in the placed image. */
struct spin_entry {
    uint32_t calls;     /* spin_call_count addresses of 64 bits */
    uint32_t host_data; /* begins a page */
    uint32_t begin;     /* void (void): finds the handlers */
    uint32_t chosen;    /* where it leaves three addresses: header, packet and tail handler; 0: none */
};

/* 0, or -EINVAL and a sentence in why. most: bytes in memory. The file must last as long as the image. */
int spin_image_read(struct spin_image *out, const uint8_t *file, size_t length, uint32_t most, char why[SPIN_WHY]);
/* Copies the image into memory, which is zeroed and has its size, as it must be at address base, and reads the record at its entry. */
int spin_image_place(const struct spin_image *image, uint8_t *memory, uint32_t base, struct spin_entry *out, char why[SPIN_WHY]);
/* The segment that holds all of the range, or NULL. */
const struct spin_segment *spin_image_segment(const struct spin_image *image, uint32_t address, uint32_t length);

#endif
