/*
 * Frames one way by datagrams: the sender keeps a copy of each until it is acknowledged, the receiver puts the chunks together, checks the
 * frame, hands it on as a copy, and acknowledges it. A lost datagram shows by a pause; the sender then goes back to the first chunk that
 * the receiver lacks.
 */
#define _GNU_SOURCE
#include "ring.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/udp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

/* More frames under way would leave the cache. */
enum { AHEAD = 2, PATIENCE_NS = 5000000, MAGIC = 0x49534C45 };

struct chunk {
    uint32_t magic;
    uint16_t sequence, index, total, reserved;
};
_Static_assert(sizeof(struct chunk) == RING_CHUNK_HEADER, "the header of a chunk has 12 bytes");

/* The receiver has all chunks before this one. */
struct progress {
    uint64_t frame;
    uint32_t chunk;
};

struct answer {
    struct chunk chunk;
    uint8_t header[RING_HEADER];
    struct progress progress;
    uint8_t rest[RING_ACK - sizeof(struct progress)];
} __attribute__((packed));

static uint8_t *memory(size_t bytes) {
    uint8_t *at = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (at == NULL) ring_fail("aligned_alloc");
    memset(at, 0, bytes);
    return at;
}

static uint32_t chunks(size_t frame) { return (uint32_t)((frame + RING_CHUNK - 1) / RING_CHUNK); }

static size_t part(size_t frame, uint32_t chunk) {
    size_t left = frame - (size_t)chunk * RING_CHUNK;
    return left < RING_CHUNK ? left : RING_CHUNK;
}

static struct chunk chunk_header(uint64_t number, uint32_t index, uint32_t total) {
    return (struct chunk){htonl(MAGIC), htons((uint16_t)number), htons((uint16_t)index), htons((uint16_t)total), 0};
}

/* Waits never; false without bytes. */
static bool sent(int fd, const void *data, size_t bytes) {
    ssize_t n = send(fd, data, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EINTR && errno != ENOBUFS) ring_fail("send");
    return n >= 0;
}

struct receiver {
    int fd;
    size_t bytes;
    struct progress next;
    uint8_t *frame, *packet, *batch;
    uint64_t ends;
};

static void answer(struct receiver *receiver) {
    struct answer answer = {.chunk = chunk_header(0, 0, 1), .progress = receiver->next};
    uint8_t frame[RING_HEADER + RING_ACK] = {0};
    memcpy(frame + RING_HEADER, &receiver->next, sizeof receiver->next);
    ring_seal(frame, 0, RING_ACK);
    memcpy(answer.header, frame, sizeof frame);
    while (!sent(receiver->fd, &answer, sizeof answer)) continue;
}

static void take(struct receiver *receiver, const uint8_t *datagram, size_t length) {
    struct chunk header;
    size_t frame = RING_HEADER + receiver->bytes;
    if (length < sizeof header) return;
    memcpy(&header, datagram, sizeof header);
    uint32_t index = ntohs(header.index);
    if (header.magic != htonl(MAGIC) || ntohs(header.total) != chunks(frame) || index >= chunks(frame)) ring_fail("a wrong chunk");
    if (ntohs(header.sequence) != (uint16_t)receiver->next.frame || index != receiver->next.chunk) return;
    if (length - sizeof header != part(frame, index)) ring_fail("a wrong length");
    memcpy(receiver->frame + (size_t)index * RING_CHUNK, datagram + sizeof header, length - sizeof header);
    if (++receiver->next.chunk < chunks(frame)) return;
    if (!ring_sealed(receiver->frame, receiver->next.frame, (uint32_t)receiver->bytes)) ring_fail("a wrong checksum");
    memcpy(receiver->packet, receiver->frame + RING_HEADER, receiver->bytes);
    receiver->next = (struct progress){receiver->next.frame + 1, 0};
    answer(receiver);
}

/* One batch of equal datagrams, as the kernel has joined them; false if nothing is here. */
static bool receive(struct receiver *receiver) {
    union {
        struct cmsghdr header;
        uint8_t room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec range = {receiver->batch, 1 << 16};
    struct msghdr message = {.msg_iov = &range, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t bytes = recvmsg(receiver->fd, &message, MSG_DONTWAIT);
    if (bytes < 0 && errno != EAGAIN && errno != EINTR) ring_fail("recvmsg");
    if (bytes <= 0) return false;
    size_t segment = (size_t)bytes;
    for (struct cmsghdr *at = CMSG_FIRSTHDR(&message); at != NULL; at = CMSG_NXTHDR(&message, at))
        if (at->cmsg_level == IPPROTO_UDP && at->cmsg_type == UDP_GRO) {
            int size;
            memcpy(&size, CMSG_DATA(at), sizeof size);
            segment = (size_t)size;
        }
    for (size_t at = 0; at < (size_t)bytes; at += segment)
        take(receiver, receiver->batch + at, (size_t)bytes - at < segment ? (size_t)bytes - at : segment);
    return true;
}

static _Noreturn void receive_all(int fd, size_t bytes) {
    ring_pin(1);
    struct receiver receiver = {.fd = fd, .bytes = bytes, .next = {1, 0}};
    receiver.frame = memory(RING_HEADER + bytes);
    receiver.packet = memory(bytes);
    receiver.batch = memory(1 << 16);
    int64_t heard = ring_now();
    for (;;) {
        if (receive(&receiver)) {
            heard = 0;
        } else if (heard == 0) {
            heard = ring_now();
        } else if (ring_now() - heard > PATIENCE_NS) {
            answer(&receiver);
            heard = ring_now();
        }
    }
}

struct sender {
    int fd;
    size_t bytes;
    uint8_t *kept[AHEAD], *packet, *batch;
    uint64_t made;               /* number of the last frame in the window */
    struct progress next, acked; /* the next chunk to send; what the receiver has */
};

/* Reads acknowledgements; one that tells nothing new asks for the chunks again. */
static void read_answers(struct sender *sender) {
    struct answer answer;
    ssize_t n;
    while ((n = recv(sender->fd, &answer, sizeof answer, MSG_DONTWAIT)) > 0) {
        uint8_t frame[RING_HEADER + RING_ACK];
        memcpy(frame, answer.header, sizeof frame);
        if (n != sizeof answer || !ring_sealed(frame, 0, RING_ACK)) ring_fail("a wrong acknowledgement");
        struct progress to = answer.progress;
        bool lost = to.frame == sender->acked.frame || to.chunk != 0;
        sender->acked = to;
        if (lost) sender->next = to;
    }
    if (n < 0 && errno != EAGAIN && errno != EINTR) ring_fail("recv");
}

/* Sends a batch of the next frame; false if nothing is to be sent. */
static bool send_batch(struct sender *sender) {
    size_t frame = RING_HEADER + sender->bytes;
    if (sender->next.frame > sender->made) return false;
    const uint8_t *kept = sender->kept[sender->next.frame % AHEAD];
    uint32_t total = chunks(frame), index = sender->next.chunk, end = total - index < RING_BATCH ? total : index + RING_BATCH;
    size_t bytes = 0;
    for (; index < end; index++) {
        struct chunk header = chunk_header(sender->next.frame, index, total);
        memcpy(sender->batch + bytes, &header, sizeof header);
        memcpy(sender->batch + bytes + sizeof header, kept + (size_t)index * RING_CHUNK, part(frame, index));
        bytes += sizeof header + part(frame, index);
    }
    while (!sent(sender->fd, sender->batch, bytes)) read_answers(sender);
    sender->next = end == total ? (struct progress){sender->next.frame + 1, 0} : (struct progress){sender->next.frame, end};
    return true;
}

static void add(struct sender *sender) {
    uint8_t *kept = sender->kept[++sender->made % AHEAD];
    memcpy(kept + RING_HEADER, sender->packet, sender->bytes);
    ring_seal(kept, sender->made, (uint32_t)sender->bytes);
}

static void send_all(struct sender *sender, uint64_t last) {
    while (sender->acked.frame <= last) {
        if (sender->made < last && sender->made - (sender->acked.frame - 1) < AHEAD) add(sender);
        bool ignored = send_batch(sender);
        (void)ignored;
        read_answers(sender);
    }
}

double ring_goodput(size_t bytes, long frames) {
    int pair[2];
    ring_pair(pair);
    ring_batches(pair[0]);
    ring_batches(pair[1]);
    pid_t child = ring_forked();
    if (child == 0) receive_all(pair[1], bytes);
    ring_pin(0);
    struct sender sender = {.fd = pair[0], .bytes = bytes, .next = {1, 0}, .acked = {1, 0}};
    for (int i = 0; i < AHEAD; i++) sender.kept[i] = memory(RING_HEADER + bytes);
    sender.packet = memory(bytes);
    sender.batch = memory((size_t)RING_BATCH * RING_DATAGRAM);
    uint64_t warm = (uint64_t)frames / 10 + 1;
    send_all(&sender, warm);
    int64_t begin = ring_now();
    send_all(&sender, warm + (uint64_t)frames);
    double ns = (double)(ring_now() - begin) / (double)frames;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return ns;
}
