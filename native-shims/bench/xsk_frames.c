#include <arpa/inet.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <string.h>

#include "xsk_run.h"

enum { ETHERNET = 14, PORT = 9000, CLIENT = 4000 };

static uint16_t checksum(const uint8_t *at, int bytes)
{
    uint32_t sum = 0;
    for (int i = 0; i < bytes; i += 2)
        sum += (uint32_t)at[i] << 8 | at[i + 1];
    sum = (sum & 0xFFFF) + (sum >> 16);
    return (uint16_t)~((sum & 0xFFFF) + (sum >> 16));
}

static void write_udp(uint8_t *frame)
{
    struct iphdr ip = {
        .version = 4, .ihl = 5, .tot_len = htons(XSK_LENGTH - ETHERNET), .ttl = 64, .protocol = IPPROTO_UDP};
    struct udphdr udp = {.uh_sport = htons(CLIENT), .uh_dport = htons(PORT), .uh_ulen = htons(XSK_LENGTH - ETHERNET - sizeof ip)};
    ip.saddr = inet_addr("198.18.0.1");
    ip.daddr = inet_addr("198.18.0.2");
    memcpy(frame + ETHERNET, &ip, sizeof ip);
    ip.check = htons(checksum(frame + ETHERNET, sizeof ip));
    memcpy(frame + ETHERNET, &ip, sizeof ip);
    memcpy(frame + ETHERNET + sizeof ip, &udp, sizeof udp);
}

void xsk_write_frames(xsk *s, const char *mac, int udp)
{
    uint8_t to[6];
    if (sscanf(mac, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", to, to + 1, to + 2, to + 3, to + 4, to + 5) != 6)
        xsk_fail("%s is no hardware address", mac);
    for (uint32_t i = 0; i < s->size; i++) {
        uint8_t *frame = s->umem + (size_t)i * XSK_FRAME;
        memcpy(frame, to, sizeof to);
        memcpy(frame + 6, s->mac, sizeof s->mac);
        frame[12] = 8;
        frame[ETHERNET] = 0x45;
        if (udp)
            write_udp(frame);
    }
}
