// net-peer: an app of a net in a process of its own, made from isle_net.h and its page alone. Runs as user 65534 if it may choose. Reads a line
// a command, and answers with a line; ends with 0, or with 3 and a sentence.
//   net-peer SOCKET APP [keep]                  keep: goes on as the caller's user
//   protect         tries to write what only the net may write: prints how many ways are shut, and how many are open
//   count N [slow]  takes N frames in place whose payload is their signature: prints RECEIVED LOST INVALID WRONG
//   copy N          the same by copies
//   send N BYTES    sends N frames whose bytes are their number, with credits; flushes each 16: prints SENT
//   ended           prints 1 if the net has ended the attachment
//   wait            waits for that end
//   spoil           overwrites its TX link with garbage, and rings
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "isle_net.h"

enum { NOBODY = 65534, SPIN = 1000 };

static _Noreturn void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("net-peer: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(3);
}

static int way(const char *name, int open) {
  if (open) fprintf(stderr, "net-peer: open: %s\n", name);
  return open;
}

// Four ways to memory that is for reading.
static int try_memory(const char *name, int fd, const void *mapped, size_t bytes) {
  char path[64];
  int open_ways = 0;
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  open_ways += way(name, at != MAP_FAILED || errno != EACCES);
  open_ways += way(name, !mprotect((void *)(uintptr_t)mapped, bytes, PROT_READ | PROT_WRITE) || errno != EACCES);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  int again = open(path, O_RDWR | O_CLOEXEC);
  open_ways += way(name, again >= 0 || errno != EACCES);
  open_ways += way(name, !ftruncate(fd, 0));
  return open_ways;
}

// The attachment has closed its descriptors, so another one is asked for them.
static void protect(const char *path, const char *app) {
  isle_net_answer answer;
  isle_net_request request = {.magic = ISLE_NET_MAGIC, .version = ISLE_NET_VERSION, .bytes = sizeof request};
  int fds[ISLE_NET_MOST_FDS], open_ways = 0, tries = 0;
  uint32_t count;
  isle_net n;
  memset(&n, 0, sizeof n);
  snprintf(request.app, sizeof request.app, "%s", app);
  n.socket = isle_net_connect(path);
  if (n.socket < 0 || send(n.socket, &request, sizeof request, 0) != sizeof request) fail("no second attachment");
  if (isle_net_receive(n.socket, &answer, fds, &count) <= 0 || answer.head.status) fail("refused: %s", answer.head.reason);
  int copies[ISLE_NET_MOST_FDS];
  for (uint32_t i = 0; i < count; i++) copies[i] = dup(fds[i]);
  const char *wrong = isle_net_open(&n, &answer, fds);
  if (wrong) fail("%s", wrong);
  for (uint32_t i = 0; i < n.tiles; i++) {
    open_ways += try_memory("RX link", copies[2 + 3 * i], n.tile[i].file, (size_t)n.tile[i].file_bytes);
    open_ways += try_memory("frames", copies[3 + 3 * i], n.tile[i].frames_file, (size_t)n.tile[i].frames_file_bytes);
    tries += 8;
  }
  open_ways += try_memory("progress", copies[1], n.progress_file, (size_t)n.progress_bytes);
  open_ways += way("size of the TX link", !ftruncate(copies[0], 0));
  tries += 5;
  for (uint32_t i = 0; i < count; i++) close(copies[i]), fds[i] >= 0 ? close(fds[i]) : 0;
  isle_net_detach(&n);
  printf("%d %d\n", tries - open_ways, open_ways);
}

static int is_right(const uint8_t *data, uint32_t bytes, uint64_t sig) {
  uint64_t word;
  for (uint32_t at = 0; at + sizeof word <= bytes; at += sizeof word) {
    memcpy(&word, data + at, sizeof word);
    if (word != sig) return 0;
  }
  return 1;
}

static void count(isle_net *n, uint64_t wanted, int slow) {
  isle_net_frame frame;
  uint64_t wrong = 0, replaced = 0, first = n->received, seen = 0;
  for (uint64_t idle = 0; seen + n->lost + replaced < wanted;) {
    if (!isle_net_next(n, &frame)) {
      if (++idle % SPIN == 0) {
        if (isle_net_ended(n)) fail("the net has ended after %llu frames", (unsigned long long)seen);
        sched_yield();
      }
      continue;
    }
    int right = is_right(frame.data, frame.bytes, frame.sig);
    if (slow) sched_yield();
    if (isle_net_valid(n, &frame)) {
      wrong += !right;
      seen++;
    } else {
      replaced++;
    }
  }
  n->received = first + seen;
  printf("%llu %llu %llu %llu\n", (unsigned long long)seen, (unsigned long long)(n->lost + replaced), (unsigned long long)n->invalid,
         (unsigned long long)wrong);
}

static void copy(isle_net *n, uint64_t wanted) {
  static uint8_t into[65536];
  uint64_t wrong = 0, seen = 0, sig;
  for (uint64_t idle = 0; seen + n->lost < wanted;) {
    int bytes = isle_net_copy(n, into, sizeof into, &sig);
    if (bytes < 0) fail("a frame is too long");
    if (bytes == 0) {
      if (++idle % SPIN == 0) sched_yield();
      continue;
    }
    wrong += !is_right(into, (uint32_t)bytes, sig);
    seen++;
  }
  printf("%llu %llu %llu %llu\n", (unsigned long long)seen, (unsigned long long)n->lost, (unsigned long long)n->invalid,
         (unsigned long long)wrong);
}

static void send_frames(isle_net *n, uint64_t wanted, uint32_t bytes) {
  for (uint64_t i = 0; i < wanted;) {
    uint8_t *at = isle_net_claim(n, bytes);
    if (!at) {
      if (isle_net_ended(n)) fail("the net has ended after %llu frames", (unsigned long long)i);
      isle_net_flush(n);
      sched_yield();
      continue;
    }
    for (uint32_t k = 0; k < bytes; k++) at[k] = (uint8_t)(i >> 8 * (k % 8));
    if (isle_net_publish(n, bytes, i)) fail("frame %llu is refused", (unsigned long long)i);
    if (++i % 16 == 0) isle_net_flush(n);
  }
  isle_net_flush(n);
  printf("%llu\n", (unsigned long long)n->sent);
}

static void spoil(isle_net *n) {
  for (uint64_t at = 0; at < n->tx_bytes; at++) n->tx_file[at] = (uint8_t)(at * 31 + 7);
  n->unrung = 1;
  uint64_t most = UINT64_MAX - 1, ignored;
  for (uint32_t i = 0; i < n->tiles; i++) {
    if (write(n->tile[i].bell, &most, sizeof most) < 0 && errno != EAGAIN) fail("no bell");
    if (read(n->tile[i].bell, &ignored, sizeof ignored) < 0 && errno != EAGAIN) fail("no bell");
    fcntl(n->tile[i].bell, F_SETFL, 0);
  }
  puts("spoilt");
}

int main(int argc, char **argv) {
  isle_net n;
  char why[ISLE_NET_REASON_BYTES], line[128];
  unsigned long long number, bytes;
  if (argc < 3) fail("takes SOCKET APP [keep]");
  if (argc == 3 && geteuid() == 0 && (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))) fail("user 65534: %s", strerror(errno));
  int code = isle_net_attach(&n, argv[1], argv[2], why, sizeof why);
  if (code) fail("%d %s", code, why);
  printf("attached %u %u %u %u %08x", n.app, n.instance, n.tiles, n.mtu, n.address);
  for (uint32_t i = 0; i < n.port_count; i++) printf(" %u", n.ports[i]);
  putchar('\n');
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    if (!strcmp(line, "protect\n")) protect(argv[1], argv[2]);
    else if (!strcmp(line, "spoil\n")) spoil(&n);
    else if (!strcmp(line, "ended\n")) printf("%d\n", isle_net_ended(&n));
    else if (!strcmp(line, "wait\n")) {
      struct pollfd hung = {n.socket, POLLIN, 0};
      printf("%d\n", poll(&hung, 1, 60000) > 0 && isle_net_ended(&n));
    }
    else if (sscanf(line, "send %llu %llu", &number, &bytes) == 2) send_frames(&n, number, (uint32_t)bytes);
    else if (sscanf(line, "copy %llu", &number) == 1) copy(&n, number);
    else if (sscanf(line, "count %llu", &number) == 1) count(&n, number, strstr(line, "slow") != NULL);
    else fail("no command: %s", line);
    fflush(stdout);
  }
  isle_net_detach(&n);
  return 0;
}
