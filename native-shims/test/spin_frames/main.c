/*
 * spin-frames KIND SEED CAPTURE [MESSAGE]: writes a capture with frames for handlers of that kind. The same seed gives the same frames.
 *   icmp   echo requests, some with a length in the header of IP that the frame does not have
 *   udp    UDP over IPv4, and frames of any bytes
 *   slmp   the file MESSAGE as a sender cuts it, among a message without an end and packets for other ports
 *   words  IP and UDP without Ethernet, the length of IP in this processor's order, the payload words below 1024
 *   bytes  no capture: a MiB of any bytes
 */
#include "frames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ETHERNET 14u
#define IP 20u
#define UDP 8u
#define ICMP 8u
#define SLMP 10u
#define PIECE 1408u
#define COUNT 120u
#define SYN 0x4000u
#define EOM 0x8000u
#define MESSAGE_MAX 100000u

static uint64_t state;

/* splitmix64 */
static uint32_t any(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 16);
}

static uint32_t within(uint32_t least, uint32_t most)
{
    return least + any() % (most - least + 1);
}

static void put16(uint8_t *at, uint32_t v)
{
    at[0] = (uint8_t)(v >> 8);
    at[1] = (uint8_t)v;
}

static void put32(uint8_t *at, uint32_t v)
{
    put16(at, v >> 16);
    put16(at + 2, v);
}

static uint32_t checksum(const uint8_t *bytes, uint32_t length)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < length; i++)
        sum += i % 2 ? bytes[i] : (uint32_t)bytes[i] << 8;
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return ~sum & 0xffff;
}

static void fill(uint8_t *bytes, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)any();
}

/* Headers of Ethernet and IP before a payload of IP. */
static void ip_frame(uint8_t *frame, uint32_t protocol, uint32_t payload)
{
    uint8_t *ip = frame + ETHERNET;
    fill(frame, ETHERNET + IP);
    put16(frame + 12, 0x0800);
    put16(ip, 0x4500);
    put16(ip + 2, IP + payload);
    put16(ip + 6, 0);
    ip[9] = (uint8_t)protocol;
    put16(ip + 10, 0);
    put16(ip + 10, checksum(ip, IP));
}

static void udp_frame(uint8_t *frame, uint32_t port, uint32_t payload)
{
    uint8_t *udp = frame + ETHERNET + IP;
    ip_frame(frame, 17, UDP + payload);
    put16(udp, within(1024, 65535));
    put16(udp + 2, port);
    put16(udp + 4, UDP + payload);
    put16(udp + 6, 0);
}

static void icmp(FILE *capture)
{
    uint8_t frame[FRAME_MAX];
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t payload = within(16, 1416);
        uint8_t *echo = frame + ETHERNET + IP;
        ip_frame(frame, 1, ICMP + payload);
        fill(echo, ICMP + payload);
        put16(echo, 0x0800);
        put16(echo + 2, 0);
        put16(echo + 2, checksum(echo, ICMP + payload));
        if (i % 8 == 7)
            put16(frame + ETHERNET + 2, IP + within(ICMP, 1500 - IP));
        frames_add(capture, frame, ETHERNET + IP + ICMP + payload);
    }
}

static void udp(FILE *capture)
{
    uint8_t frame[FRAME_MAX];
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t payload = within(0, 1472), length = ETHERNET + IP + UDP + payload;
        fill(frame, FRAME_MAX);
        if (i % 4 == 3)
            length = within(1, FRAME_MAX);
        else
            udp_frame(frame, within(1, 65535), payload);
        frames_add(capture, frame, length);
    }
}

static void piece(FILE *capture, uint32_t id, uint32_t flags, uint32_t offset, const uint8_t *bytes, uint32_t length)
{
    uint8_t frame[FRAME_MAX], *slmp = frame + ETHERNET + IP + UDP;
    udp_frame(frame, 9330, SLMP + length);
    put16(slmp, flags);
    put32(slmp + 2, id);
    put32(slmp + 6, offset);
    memcpy(slmp + SLMP, bytes, length);
    frames_add(capture, frame, ETHERNET + IP + UDP + SLMP + length);
}

static int slmp(FILE *capture, const char *file)
{
    static uint8_t message[MESSAGE_MAX], other[FRAME_MAX];
    FILE *f = file ? fopen(file, "rb") : NULL;
    uint32_t length = f ? (uint32_t)fread(message, 1, sizeof message, f) : 0, id = any(), open = id ^ 1u << 24;
    if (!length || fclose(f))
        return 1;
    fill(other, sizeof other);
    /* the first byte of an id decides about the queue */
    piece(capture, open, SYN, 0, other, PIECE);
    for (uint32_t at = 0; at < length; at += PIECE) {
        uint32_t bytes = length - at < PIECE ? length - at : PIECE, end = at + bytes == length ? EOM : 0;
        piece(capture, id, (at % (4 * PIECE) ? 0 : SYN) | (end ? end | SYN : 0), at, message + at, bytes);
        if (any() % 4 == 0) {
            uint8_t frame[FRAME_MAX];
            fill(other, sizeof other);
            piece(capture, open, any() % 2 ? SYN : 0, MESSAGE_MAX + at % 64000, other, within(0, PIECE));
            udp_frame(frame, 9331, 100);
            memcpy(frame + ETHERNET + IP + UDP, other, 100);
            frames_add(capture, frame, ETHERNET + IP + UDP + 100);
        }
    }
    return 0;
}

static void words(FILE *capture)
{
    uint8_t packet[FRAME_MAX];
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t count = within(4, 360), length = IP + UDP + 4 * count;
        fill(packet, IP + UDP);
        packet[0] = 0x45;
        packet[2] = (uint8_t)length;
        packet[3] = (uint8_t)(length >> 8);
        for (uint32_t w = 0; w < count; w++) {
            uint32_t word = any() % 1024;
            memcpy(packet + IP + UDP + 4 * w, &word, sizeof word);
        }
        frames_add(capture, packet, length);
    }
}

static int bytes(FILE *file)
{
    static uint8_t all[1 << 20];
    fill(all, sizeof all);
    return fwrite(all, 1, sizeof all, file) != sizeof all;
}

int main(int argc, char **argv)
{
    const char *kind = argc > 3 ? argv[1] : "";
    FILE *file = argc > 3 ? fopen(argv[3], "wb") : NULL;
    int code = !file;
    state = argc > 3 ? strtoull(argv[2], NULL, 10) : 0;
    if (!code && strcmp(kind, "bytes"))
        code = frames_begin(file, strcmp(kind, "words") ? FRAMES_ETHERNET : FRAMES_IP);
    if (!code && !strcmp(kind, "icmp"))
        icmp(file);
    else if (!code && !strcmp(kind, "udp"))
        udp(file);
    else if (!code && !strcmp(kind, "slmp"))
        code = slmp(file, argc > 4 ? argv[4] : NULL);
    else if (!code && !strcmp(kind, "words"))
        words(file);
    else if (!code && !strcmp(kind, "bytes"))
        code = bytes(file);
    else
        code = 1;
    if (file)
        code |= ferror(file) | fclose(file);
    if (code)
        fprintf(stderr, "spin-frames: usage: spin-frames icmp|udp|slmp|words|bytes SEED FILE [MESSAGE]\n");
    return code;
}
