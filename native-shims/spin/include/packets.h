/* Headers of frames, as they lie in packets: fields of more than a byte are in network order. */
#ifndef PACKETS_H
#define PACKETS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct mac_addr {
    uint8_t data[6];
} __attribute__((__packed__)) mac_addr_t;

typedef struct eth_hdr {
    mac_addr_t dest;
    mac_addr_t src;
    uint16_t length; /* or the type of what follows */
} __attribute__((__packed__)) eth_hdr_t;

typedef struct ip_hdr {
    uint8_t ihl : 4;
    uint8_t version : 4;
    uint8_t tos;
    uint16_t length;
    uint16_t identification;
    uint16_t offset;
    uint8_t ttl;
    uint8_t protocol;
    uint16_t checksum;
    uint32_t source_id;
    uint32_t dest_id;
} __attribute__((__packed__)) ip_hdr_t;

typedef struct udp_hdr {
    uint16_t src_port;
    uint16_t dst_port;
    uint16_t length;
    uint16_t checksum;
} __attribute__((__packed__)) udp_hdr_t;

/* In the payload of UDP, port 9330. */
typedef struct slmp_hdr {
    uint16_t flags;
    uint32_t msg_id;
    uint32_t pkt_off; /* of the payload in the message */
} __attribute__((__packed__)) slmp_hdr_t;

/* IPv4 without options. */
typedef struct pkt_hdr {
    eth_hdr_t eth_hdr;
    ip_hdr_t ip_hdr;
    udp_hdr_t udp_hdr;
} __attribute__((__packed__)) pkt_hdr_t;

typedef struct slmp_pkt_hdr {
    eth_hdr_t eth_hdr;
    ip_hdr_t ip_hdr;
    udp_hdr_t udp_hdr;
    slmp_hdr_t slmp_hdr;
} __attribute__((__packed__)) slmp_pkt_hdr_t;

#define MKEOM 0x8000
#define MKSYN 0x4000
#define MKACK 0x2000
#define EOM(flags) ((flags) & MKEOM)
#define SYN(flags) ((flags) & MKSYN)
#define ACK(flags) ((flags) & MKACK)

static inline uint16_t bswap_16(uint16_t v)
{
    return __builtin_bswap16(v);
}

static inline uint32_t bswap_32(uint32_t v)
{
    return __builtin_bswap32(v);
}

#define htons(x) bswap_16(x)
#define ntohs htons
#define htonl(x) bswap_32(x)
#define ntohl htonl

#define SLMP_PAYLOAD_LEN(hdrs) (ntohs((hdrs)->udp_hdr.length) - sizeof(udp_hdr_t) - sizeof(slmp_hdr_t))

/* The Internet checksum (RFC 1071), in network order. */
static inline uint16_t ip_checksum(void *vdata, size_t length)
{
    const uint8_t *data = vdata;
    uint32_t sum = 0xffff;
    for (size_t i = 0; i < length; i++) {
        sum += i & 1 ? data[i] : (uint32_t)data[i] << 8;
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return htons((uint16_t)~sum);
}

#endif
