/*
 * Apps of nets in processes of their own: attaches at the socket file of a net, takes frames where the kernel put them, and sends frames. Needs
 * Linux and isle_tango.h. docs/net-attach.md has the protocol.
 *
 * Memory of received frames is read-only for the app. A frame may be replaced at any time, so bytes count only when isle_net_valid, asked after
 * they were read, says so; isle_net_copy does both. Memory of frames to send belongs to the app, which hands them over in order.
 *
 * All offsets and sizes from the net are checked at the attachment. One thread at a time. Calls for frames never wait.
 */
#ifndef ISLE_NET_H
#define ISLE_NET_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "isle_tango.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- messages ---- */

#define ISLE_NET_MAGIC 0x414E5349u /* "ISNA" */
#define ISLE_NET_VERSION 1u
#define ISLE_NET_MOST_TILES 16u
#define ISLE_NET_MOST_PORTS 16u
#define ISLE_NET_APP_BYTES 32u
#define ISLE_NET_REASON_BYTES 152u

/* What the app asks: one message. */
typedef struct {
    uint32_t magic;
    uint16_t version;
    uint16_t bytes;                /* of this structure */
    char app[ISLE_NET_APP_BYTES]; /* name, filled up with zeros, of which there is one at least */
    uint8_t _reserved[24];         /* zero */
} isle_net_request;

/* What the net answers: one message, with an isle_net_rx for each tile behind it. Descriptors: TX link, progress, then RX link, frames and bell
 * of each tile. A refusal has neither. */
typedef struct {
    uint32_t magic;
    uint16_t version;
    uint16_t bytes; /* of this structure */
    int32_t status; /* 0, or a negative error number */
    uint32_t tiles;
    uint32_t app;      /* number of the app in its net */
    uint32_t instance; /* number of this process among those of the app, which share its frames by hash */
    uint32_t mtu;      /* most bytes of a frame to send, with the header of Ethernet */
    uint32_t address;  /* IPv4, first number highest; 0: frames for any address */
    uint32_t port_count;
    uint16_t ports[ISLE_NET_MOST_PORTS];
    uint32_t tx_depth;
    uint64_t tx_bytes;       /* of the file of the TX link, whose chunks count from its begin */
    uint64_t tx_mcache;      /* offset in it */
    uint64_t tx_dcache;      /* offset in it */
    uint64_t progress_bytes; /* of the file with an fseq for each tile: what it has taken from the TX link */
    char reason[ISLE_NET_REASON_BYTES]; /* of a refusal, ends with a zero */
} isle_net_reply;

/* What a tile passes to the app. */
typedef struct {
    uint64_t mcache_bytes; /* of the file */
    uint64_t mcache;       /* offset of the mcache in it */
    uint64_t umem_bytes;   /* of the file */
    uint64_t umem;         /* offset of the first frame in it, from which chunks count */
    uint64_t umem_size;    /* bytes of all frames */
    uint64_t seq;          /* of the first frame for the app */
    uint32_t depth;
    uint32_t frame_bytes;
} isle_net_rx;

/* Numbers of Linux that some headers of the C library have only with _GNU_SOURCE: F_GET_SEALS, F_SEAL_SHRINK | F_SEAL_GROW, POLLRDHUP. */
#define ISLE_NET_F_GET_SEALS 1034
#define ISLE_NET_SEALS_OF_SIZE 6
#define ISLE_NET_POLLRDHUP 0x2000

/* Word of an fseq's application region: not 0 while its tile may sleep, so that the bell must be rung. */
#define ISLE_NET_ASLEEP 0u

/* ---- an attachment ---- */

typedef struct {
    const uint8_t *file;
    uint64_t file_bytes;
    const uint8_t *frames_file;
    uint64_t frames_file_bytes;
    const isle_mcache *mcache;
    const uint8_t *frames;
    uint64_t size;
    uint64_t depth;
    uint64_t seq; /* of the next frame */
    int bell;
} isle_net_tile;

/* A received frame, where it lies. */
typedef struct {
    const uint8_t *data;
    uint64_t sig;
    uint64_t seq;
    uint32_t bytes;
    uint32_t tile;
} isle_net_frame;

typedef struct {
    int socket;
    uint32_t tiles, app, instance, mtu, address, port_count;
    uint16_t ports[ISLE_NET_MOST_PORTS];
    isle_net_tile tile[ISLE_NET_MOST_TILES];
    uint32_t turn;
    uint8_t *tx_file;
    uint64_t tx_bytes;
    isle_link_writer tx;
    const uint8_t *progress_file;
    uint64_t progress_bytes;
    isle_fctl_consumer consumers[ISLE_NET_MOST_TILES];
    isle_fctl credits;
    uint64_t claimed; /* bytes; 0 without a claim */
    int unrung;
    uint64_t received, lost, invalid, sent; /* invalid: frames outside of their memory */
} isle_net;

/* ---- the parts of an attachment ---- */

static inline int isle_net_say(char *why, size_t room, int code, const char *text)
{
    if (why && room)
        snprintf(why, room, "%s", text);
    return code;
}

/* Maps a file in memory whose size nobody can change any more. */
static inline void *isle_net_map(int fd, uint64_t bytes, int rights)
{
    int seals = fcntl(fd, ISLE_NET_F_GET_SEALS);
    if (seals < 0 || (seals & ISLE_NET_SEALS_OF_SIZE) != ISLE_NET_SEALS_OF_SIZE)
        return NULL;
    struct stat stat;
    if (fstat(fd, &stat) < 0 || stat.st_size < 0 || (uint64_t)stat.st_size != bytes || bytes == 0 || bytes > SIZE_MAX)
        return NULL;
    void *at = mmap(NULL, (size_t)bytes, rights, MAP_SHARED, fd, 0);
    return at == MAP_FAILED ? NULL : at;
}

static inline int isle_net_within(uint64_t offset, uint64_t size, uint64_t bytes)
{
    return offset <= bytes && size <= bytes - offset;
}

/* NULL: all is well. Else what is wrong. */
static inline const char *isle_net_open_rx(isle_net_tile *t, const isle_net_rx *rx, int mcache_fd, int frames_fd, int bell)
{
    t->bell = bell;
    t->file_bytes = rx->mcache_bytes;
    t->file = (const uint8_t *)isle_net_map(mcache_fd, rx->mcache_bytes, PROT_READ);
    if (!t->file)
        return "an RX link cannot be mapped";
    t->frames_file_bytes = rx->umem_bytes;
    t->frames_file = (const uint8_t *)isle_net_map(frames_fd, rx->umem_bytes, PROT_READ);
    if (!t->frames_file)
        return "memory of frames cannot be mapped";
    if (rx->mcache % ISLE_MCACHE_ALIGN || rx->mcache > rx->mcache_bytes)
        return "an RX link is not at its place";
    int64_t depth = isle_mcache_check(t->file + rx->mcache, rx->mcache_bytes - rx->mcache);
    if (depth < 0 || (uint64_t)depth != rx->depth)
        return "an RX link has another depth than the net says";
    if (rx->umem % ISLE_CHUNK_BYTES || !isle_net_within(rx->umem, rx->umem_size, rx->umem_bytes))
        return "frames are not within their memory";
    t->mcache = (const isle_mcache *)(t->file + rx->mcache);
    t->depth = (uint64_t)depth;
    t->frames = t->frames_file + rx->umem;
    t->size = rx->umem_size;
    t->seq = rx->seq;
    return NULL;
}

static inline const char *isle_net_open_tx(isle_net *n, const isle_net_reply *r, int tx_fd, int progress_fd)
{
    n->tx_bytes = r->tx_bytes;
    n->tx_file = (uint8_t *)isle_net_map(tx_fd, r->tx_bytes, PROT_READ | PROT_WRITE);
    if (!n->tx_file)
        return "the TX link cannot be mapped";
    n->progress_bytes = r->progress_bytes;
    n->progress_file = (const uint8_t *)isle_net_map(progress_fd, r->progress_bytes, PROT_READ);
    if (!n->progress_file)
        return "the progress of tiles cannot be mapped";
    if (r->tx_mcache % ISLE_MCACHE_ALIGN || r->tx_mcache > r->tx_bytes || r->tx_dcache % ISLE_DCACHE_ALIGN || r->tx_dcache > r->tx_bytes)
        return "the TX link is not at its place";
    int64_t depth = isle_mcache_check(n->tx_file + r->tx_mcache, r->tx_bytes - r->tx_mcache);
    int64_t data = isle_dcache_check(n->tx_file + r->tx_dcache, r->tx_bytes - r->tx_dcache);
    if (depth < 0 || data < 0 || (uint64_t)depth != r->tx_depth)
        return "the TX link has another depth than the net says";
    isle_chunks chunks;
    if (isle_chunks_of(r->tx_dcache + sizeof(isle_dcache), (uint64_t)data, r->mtu, &chunks)
        || isle_link_writer_open(&n->tx, (isle_mcache *)(n->tx_file + r->tx_mcache), (uint64_t)depth, &chunks))
        return "the TX link has no room for its frames";
    for (uint32_t i = 0; i < r->tiles; i++) {
        const uint8_t *fseq = n->progress_file + (uint64_t)i * sizeof(isle_fseq);
        if (!isle_net_within((uint64_t)i * sizeof(isle_fseq), sizeof(isle_fseq), r->progress_bytes) || isle_fseq_check(fseq, sizeof(isle_fseq)))
            return "the progress of a tile is missing";
        n->consumers[i].fseq = (const isle_fseq *)fseq;
        n->consumers[i].lag = depth;
        n->consumers[i].slow = 0;
    }
    return isle_fctl_start(&n->credits, n->consumers, r->tiles, 1, 0, 0, 0, n->tx.seq) ? "the TX link gives no credits" : NULL;
}

static inline int isle_net_connect(const char *path)
{
    struct sockaddr_un address;
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address.sun_path)
        return -ENAMETOOLONG;
    memcpy(address.sun_path, path, strlen(path));
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0) {
        int code = -errno;
        close(fd);
        return code;
    }
    return fd;
}

typedef struct {
    isle_net_reply head;
    isle_net_rx rx[ISLE_NET_MOST_TILES];
} isle_net_answer;

enum { ISLE_NET_MOST_FDS = 2 + 3 * ISLE_NET_MOST_TILES };

/* Takes the answer; waits up to 10 s. Returns its bytes, or a negative error number. All descriptors are stored. */
static inline int64_t isle_net_receive(int socket, isle_net_answer *answer, int *fds, uint32_t *count)
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int) * ISLE_NET_MOST_FDS)];
    } control;
    struct iovec data = {answer, sizeof *answer};
    struct msghdr message;
    struct pollfd ready = {socket, POLLIN, 0};
    ssize_t got = -1;
    *count = 0;
    /* a net that closes at once may be seen as a reset before its answer is */
    for (int tries = 0; tries < 3 && got < 0; tries++) {
        int polled = poll(&ready, 1, 10000);
        if (polled == 0)
            return -ETIMEDOUT;
        memset(&message, 0, sizeof message);
        message.msg_iov = &data;
        message.msg_iovlen = 1;
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        got = polled < 0 ? -1 : recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
        if (got < 0 && errno != EINTR && errno != ECONNRESET && errno != EAGAIN)
            return -errno;
    }
    if (got < 0)
        return -errno;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        uint32_t passed = (uint32_t)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        for (uint32_t i = 0; i < passed && *count < ISLE_NET_MOST_FDS; i++)
            memcpy(&fds[(*count)++], CMSG_DATA(c) + i * sizeof(int), sizeof(int));
    }
    return message.msg_flags & (MSG_TRUNC | MSG_CTRUNC) ? -EMSGSIZE : (int64_t)got;
}

/* Detaches: the net takes all memory back. Frames that were not flushed may be lost. */
static inline void isle_net_detach(isle_net *n)
{
    for (uint32_t i = 0; i < ISLE_NET_MOST_TILES; i++) {
        isle_net_tile *t = &n->tile[i];
        if (t->file)
            munmap((void *)(uintptr_t)t->file, (size_t)t->file_bytes);
        if (t->frames_file)
            munmap((void *)(uintptr_t)t->frames_file, (size_t)t->frames_file_bytes);
        if (t->bell >= 0)
            close(t->bell);
        memset(t, 0, sizeof *t);
        t->bell = -1;
    }
    if (n->tx_file)
        munmap(n->tx_file, (size_t)n->tx_bytes);
    if (n->progress_file)
        munmap((void *)(uintptr_t)n->progress_file, (size_t)n->progress_bytes);
    n->tx_file = NULL;
    n->progress_file = NULL;
    if (n->socket >= 0)
        close(n->socket);
    n->socket = -1;
}

static inline const char *isle_net_open(isle_net *n, const isle_net_answer *a, int *fds)
{
    const isle_net_reply *r = &a->head;
    n->tiles = r->tiles;
    n->app = r->app;
    n->instance = r->instance;
    n->mtu = r->mtu;
    n->address = r->address;
    n->port_count = r->port_count;
    memcpy(n->ports, r->ports, sizeof n->ports);
    const char *wrong = NULL;
    for (uint32_t i = 0; i < r->tiles && !wrong; i++) {
        int *own = fds + 2 + 3 * i;
        wrong = isle_net_open_rx(&n->tile[i], &a->rx[i], own[0], own[1], own[2]);
        own[2] = -1; /* the attachment's from now on */
    }
    return wrong ? wrong : isle_net_open_tx(n, r, fds[0], fds[1]);
}

/* NULL for an answer of the right form. */
static inline const char *isle_net_form(const isle_net_answer *a, int64_t bytes, uint32_t fds)
{
    const isle_net_reply *r = &a->head;
    if (bytes < (int64_t)sizeof *r || r->magic != ISLE_NET_MAGIC || r->version != ISLE_NET_VERSION || r->bytes != sizeof *r)
        return "the answer is not that of a net of this version";
    if (r->status)
        return NULL;
    if (r->tiles < 1 || r->tiles > ISLE_NET_MOST_TILES || r->port_count > ISLE_NET_MOST_PORTS
        || bytes != (int64_t)(sizeof *r + r->tiles * sizeof(isle_net_rx)) || fds != 2 + 3 * r->tiles)
        return "the answer has a wrong size";
    return NULL;
}

/* ---- what an app calls ---- */

/* Attaches as the app of a name at the socket file of a net. Waits for the answer. 0; or a negative error number, and in `why`, if it is given,
 * a sentence: -EACCES: the app is another user's; -ENOENT: no such socket or app; -EPROTO: the net is another version's or broken. */
static inline int isle_net_attach(isle_net *n, const char *path, const char *app, char *why, size_t room)
{
    isle_net_request request;
    isle_net_answer answer;
    int fds[ISLE_NET_MOST_FDS];
    uint32_t count = 0;
    memset(n, 0, sizeof *n);
    for (uint32_t i = 0; i < ISLE_NET_MOST_TILES; i++)
        n->tile[i].bell = -1;
    n->socket = -1;
    memset(&request, 0, sizeof request);
    request.magic = ISLE_NET_MAGIC;
    request.version = ISLE_NET_VERSION;
    request.bytes = sizeof request;
    if (!*app || strlen(app) >= sizeof request.app)
        return isle_net_say(why, room, -EINVAL, "the name of an app has 1 to 31 bytes");
    memcpy(request.app, app, strlen(app));
    n->socket = isle_net_connect(path);
    if (n->socket < 0)
        return isle_net_say(why, room, n->socket, "the socket of the net cannot be reached");
    /* a net that refuses at once has closed its end, and its answer is there all the same */
    if (send(n->socket, &request, sizeof request, MSG_NOSIGNAL) < 0 && errno != EPIPE && errno != ECONNRESET) {
        int code = -errno;
        isle_net_detach(n);
        return isle_net_say(why, room, code, "the request cannot be sent");
    }
    memset(&answer, 0, sizeof answer);
    int64_t bytes = isle_net_receive(n->socket, &answer, fds, &count);
    int code = 0;
    const char *wrong = NULL;
    if (bytes <= 0) {
        code = bytes ? (int)bytes : -ECONNRESET;
        wrong = "the net has not answered";
    } else if ((wrong = isle_net_form(&answer, bytes, count)) != NULL) {
        code = -EPROTO;
    } else if (answer.head.status) {
        answer.head.reason[ISLE_NET_REASON_BYTES - 1] = 0;
        code = answer.head.status < 0 ? answer.head.status : -EPROTO;
        wrong = answer.head.reason;
    } else if ((wrong = isle_net_open(n, &answer, fds)) != NULL) {
        code = -EPROTO;
    }
    for (uint32_t i = 0; i < count; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    if (wrong) {
        isle_net_detach(n);
        return isle_net_say(why, room, code, wrong);
    }
    return 0;
}

/* Whether the net has ended the attachment; one call of the kernel, so not for each frame. */
static inline int isle_net_ended(const isle_net *n)
{
    struct pollfd hung = {n->socket, POLLIN | ISLE_NET_POLLRDHUP, 0};
    return poll(&hung, 1, 0) != 0;
}

/* Whether the frame has been whole until now. Its bytes count only if this is asked after they were read. */
static inline int isle_net_valid(const isle_net *n, const isle_net_frame *f)
{
    const isle_net_tile *t = &n->tile[f->tile];
    return isle_mcache_overrun(t->mcache, t->depth, f->seq) == 0;
}

static inline int isle_net_look(isle_net *n, uint32_t tile, isle_net_frame *out)
{
    isle_net_tile *t = &n->tile[tile];
    isle_frag_meta frag;
    int64_t ahead = isle_mcache_read(t->mcache, t->depth, t->seq, &frag);
    if (ahead < 0)
        return 0;
    if (ahead > 0) {
        n->lost += (uint64_t)ahead;
        t->seq += (uint64_t)ahead;
        return 0;
    }
    uint64_t offset = (uint64_t)frag.chunk * ISLE_CHUNK_BYTES + (frag.ctl & (ISLE_CHUNK_BYTES - 1));
    t->seq++;
    if (frag.sz < 14 || !isle_net_within(offset, frag.sz, t->size)) {
        n->invalid++;
        return 0;
    }
    out->data = t->frames + offset;
    out->bytes = frag.sz;
    out->sig = frag.sig;
    out->seq = frag.seq;
    out->tile = tile;
    return 1;
}

/* Takes the next frame where it lies. 1; 0 without a frame. Frames that were replaced before are counted in n->lost. */
static inline int isle_net_next(isle_net *n, isle_net_frame *out)
{
    for (uint32_t i = 0; i < n->tiles; i++) {
        uint32_t tile = n->turn;
        n->turn = tile + 1 < n->tiles ? tile + 1 : 0;
        if (isle_net_look(n, tile, out)) {
            n->received++;
            return 1;
        }
    }
    return 0;
}

/* Takes the next frame as a copy that cannot change. Its bytes; 0 without a frame; -EMSGSIZE: it has more than `room`, and is gone. */
static inline int isle_net_copy(isle_net *n, void *into, size_t room, uint64_t *sig)
{
    isle_net_frame frame;
    while (isle_net_next(n, &frame)) {
        int fits = frame.bytes <= room;
        if (fits)
            memcpy(into, frame.data, frame.bytes);
        if (isle_net_valid(n, &frame)) {
            *sig = frame.sig;
            return fits ? (int)frame.bytes : -EMSGSIZE;
        }
        n->received--;
        n->lost++;
    }
    return 0;
}

/* Memory for one frame of up to `bytes`, 14 to n->mtu; NULL without room, or for a wrong number. */
static inline void *isle_net_claim(isle_net *n, uint32_t bytes)
{
    n->claimed = 0;
    if (bytes < 14 || bytes > n->mtu || isle_fctl_update(&n->credits, n->tx.seq) < 1)
        return NULL;
    n->claimed = bytes;
    return isle_chunk_at(n->tx_file, n->tx.chunk);
}

/* Hands the claimed frame over. The signature is that of isle_net_sig. 0; -EINVAL without a claim, or for a wrong number of bytes. */
static inline int isle_net_publish(isle_net *n, uint32_t bytes, uint64_t sig)
{
    if (bytes < 14 || bytes > n->claimed)
        return -EINVAL;
    n->claimed = 0;
    n->credits.available--;
    isle_link_writer_publish(&n->tx, sig, (uint16_t)bytes, ISLE_CTL_WHOLE, 0, 0);
    n->sent++;
    n->unrung = 1;
    return 0;
}

/* Has published frames sent soon: wakes the tiles that sleep. */
static inline void isle_net_flush(isle_net *n)
{
    if (!n->unrung)
        return;
    n->unrung = 0;
    isle_link_writer_settle(&n->tx);
    /* frames are seen before the sleep of a tile is looked at; a tile looks for frames after it says that it sleeps */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    for (uint32_t i = 0; i < n->tiles; i++) {
        const uint64_t *asleep = (const uint64_t *)(const void *)(n->consumers[i].fseq->app) + ISLE_NET_ASLEEP;
        uint64_t one = 1;
        /* a bell whose counter is full is rung */
        if (isle_tango_load(asleep) && write(n->tile[i].bell, &one, sizeof one) < 0 && errno != EAGAIN)
            n->unrung = 1;
    }
}

/* The signature of a frame to send: destination and port as numbers (198.18.0.1 is 0xC6120001), and all bytes before the payload, 42 without
 * options. The route is that of the destination. */
static inline uint64_t isle_net_sig(uint32_t destination, uint16_t port, uint32_t header_bytes)
{
    uint64_t address = __builtin_bswap32(destination), hash = address | (uint64_t)port << 32;
    hash = (hash ^ hash >> 33) * 0xFF51AFD7ED558CCDull;
    hash = (hash ^ hash >> 33) * 0xC4CEB9FE1A85EC53ull;
    hash ^= hash >> 33;
    return address | (uint64_t)((header_bytes - 42) / 4 & 0xF) << 40 | hash << 44;
}

#ifdef __cplusplus
}
#endif

#endif
