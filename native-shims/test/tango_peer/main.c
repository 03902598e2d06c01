// tango-peer: the other side of a link in a file, made from isle_tango.h alone. Ends with 0, or with 3 and a sentence.
//   tango-peer create FILE DEPTH MTU SEQ0 FSEQS
//   tango-peer produce FILE MTU COUNT SIZE [reliable]   prints "FIRST NEXT CHUNK"
//   tango-peer consume FILE FROM COUNT [FSEQ]           prints "COUNT LOST CORRUPT"; FROM is a number, or now
// The payload is the fragment's number, repeated up to the next 128 bytes.
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "isle_tango.h"

enum { SPIN = 1000 };

static _Noreturn void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("tango-peer: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(3);
}

struct file {
  uint8_t *base;
  uint64_t bytes, depth, data_bytes, data_at, fseqs_at;
  isle_mcache *mcache;
};

static uint8_t *map(const char *path, int flags, uint64_t bytes, uint64_t *size) {
  int fd = open(path, flags | O_CLOEXEC, 0600);
  struct stat stat;
  if (fd < 0 || (bytes && ftruncate(fd, (off_t)bytes) < 0) || fstat(fd, &stat) < 0) fail("%s cannot be opened", path);
  void *base = mmap(NULL, (size_t)stat.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (base == MAP_FAILED) fail("%s cannot be mapped", path);
  close(fd);
  *size = (uint64_t)stat.st_size;
  return base;
}

static void open_file(const char *path, struct file *f) {
  f->base = map(path, O_RDWR, 0, &f->bytes);
  int64_t depth = isle_mcache_check(f->base, f->bytes);
  if (depth < 0) fail("no mcache");
  f->mcache = (isle_mcache *)f->base;
  f->depth = (uint64_t)depth;
  uint64_t at = isle_tango_aligned(isle_mcache_footprint(f->depth, f->mcache->app_sz), ISLE_DCACHE_ALIGN);
  int64_t data = at < f->bytes ? isle_dcache_check(f->base + at, f->bytes - at) : -1;
  if (data < 0) fail("no dcache");
  f->data_bytes = (uint64_t)data;
  f->data_at = at + sizeof(isle_dcache);
  f->fseqs_at = at + isle_dcache_footprint(f->data_bytes, 0);
}

static isle_fseq *fseq_of(struct file *f, uint64_t index) {
  uint64_t at = f->fseqs_at + index * sizeof(isle_fseq);
  if (at >= f->bytes || isle_fseq_check(f->base + at, f->bytes - at)) fail("no fseq %llu", (unsigned long long)index);
  return (isle_fseq *)(f->base + at);
}

static int create(char **argv) {
  uint64_t depth = strtoull(argv[0], NULL, 10), mtu = strtoull(argv[1], NULL, 10), seq0 = strtoull(argv[2], NULL, 10),
           fseqs = strtoull(argv[3], NULL, 10), bytes;
  uint64_t data = isle_dcache_data_sz(mtu, depth, 1), first = isle_mcache_footprint(depth, 0);
  uint64_t at = isle_tango_aligned(first, ISLE_DCACHE_ALIGN), second = isle_dcache_footprint(data, 0);
  uint8_t *base = map(argv[-1], O_RDWR | O_CREAT | O_EXCL, at + second + fseqs * sizeof(isle_fseq), &bytes);
  if (!isle_mcache_new(base, first, depth, 0, seq0) || !isle_dcache_new(base + at, second, data, 0)) fail("a wrong size");
  for (uint64_t i = 0; i < fseqs; i++) isle_fseq_new(base + at + second + i * sizeof(isle_fseq), seq0);
  return 0;
}

static int produce(struct file *f, uint64_t mtu, uint64_t count, uint64_t size, int reliable) {
  static isle_fctl_consumer consumers[64];
  isle_chunks chunks;
  isle_link_writer w;
  isle_fctl credits;
  uint32_t fseqs = 0;
  if (isle_chunks_of(f->data_at, f->data_bytes, mtu, &chunks)) fail("no room");
  if (isle_link_writer_open(&w, f->mcache, f->depth, &chunks)) fail("the link cannot be resumed");
  for (uint64_t i = 0; reliable && i < (f->bytes - f->fseqs_at) / sizeof(isle_fseq) && i < 64; i++)
    consumers[fseqs++] = (isle_fctl_consumer){fseq_of(f, i), (int64_t)f->depth, 0};
  if (isle_fctl_start(&credits, consumers, fseqs, 1, 0, 0, 0, w.seq)) fail("no credits");
  uint64_t first = w.seq;
  for (uint64_t i = 0; i < count; i++) {
    while (isle_fctl_update(&credits, w.seq) < 1) sched_yield();
    credits.available--;
    uint64_t *words = isle_chunk_at(f->base, w.chunk);
    for (uint64_t k = 0; k < isle_slot(size) / 8; k++) __atomic_store_n(&words[k], w.seq, __ATOMIC_RELAXED);
    isle_link_writer_publish(&w, w.seq, (uint16_t)size, ISLE_CTL_WHOLE, 0, 0);
  }
  isle_link_writer_settle(&w);
  printf("%llu %llu %u\n", (unsigned long long)first, (unsigned long long)w.seq, w.chunk);
  return 0;
}

static int consume(struct file *f, const char *from, uint64_t count, isle_fseq *fseq) {
  isle_chunks chunks;
  uint64_t seq, got = 0, lost = 0, corrupt = 0;
  if (isle_chunks_of(f->data_at, f->data_bytes, 1, &chunks)) fail("no room");
  if (strcmp(from, "now"))
    seq = strtoull(from, NULL, 10);
  else if (isle_mcache_next(f->mcache, f->depth, &seq))
    fail("wrong lines");
  puts("ready");
  fflush(stdout);
  for (uint64_t idle = 0; got < count;) {
    isle_frag_meta frag;
    int64_t ahead = isle_mcache_read(f->mcache, f->depth, seq, &frag);
    if (ahead < 0) {
      if (++idle % SPIN == 0) sched_yield();
      continue;
    }
    if (ahead == 0) {
      int whole = frag.sig == seq && frag.ctl == ISLE_CTL_WHOLE && isle_chunks_contain(&chunks, frag.chunk, frag.sz);
      const uint64_t *words = isle_chunk_at_const(f->base, frag.chunk);
      for (uint64_t k = 0; whole && k < isle_slot(frag.sz) / 8; k++) whole = __atomic_load_n(&words[k], __ATOMIC_RELAXED) == seq;
      ahead = isle_mcache_overrun(f->mcache, f->depth, seq);
      if (ahead == 0) {
        corrupt += !whole;
        got++;
        seq++;
        if (fseq) isle_fseq_update(fseq, seq);
        continue;
      }
    }
    lost += (uint64_t)ahead;
    seq += (uint64_t)ahead;
  }
  printf("%llu %llu %llu\n", (unsigned long long)got, (unsigned long long)lost, (unsigned long long)corrupt);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 7 && !strcmp(argv[1], "create")) return create(argv + 3);
  struct file f;
  if (argc < 5) fail("takes create, produce or consume, with FILE and more");
  open_file(argv[2], &f);
  if (!strcmp(argv[1], "produce") && argc >= 6)
    return produce(&f, strtoull(argv[3], NULL, 10), strtoull(argv[4], NULL, 10), strtoull(argv[5], NULL, 10), argc > 6);
  if (!strcmp(argv[1], "consume"))
    return consume(&f, argv[3], strtoull(argv[4], NULL, 10), argc > 5 ? fseq_of(&f, strtoull(argv[5], NULL, 10)) : NULL);
  fail("takes create, produce or consume, with FILE and more");
}
