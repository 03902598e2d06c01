/* Captures as files: pcap with times in nanoseconds, as those that handlers leave. */
#ifndef ISLE_TEST_FRAMES_H
#define ISLE_TEST_FRAMES_H

#include <stdint.h>
#include <stdio.h>

#define FRAME_MAX 1514u

enum { FRAMES_ETHERNET = 1, FRAMES_IP = 101 };

/* 0: the header of a capture of this link type is written. */
int frames_begin(FILE *capture, uint32_t link);
/* A frame, a millisecond behind the one before. An error stays with the file until it is closed. */
void frames_add(FILE *capture, const uint8_t *frame, uint32_t length);

#endif
