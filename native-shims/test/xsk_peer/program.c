#include <linux/bpf.h>
#include <linux/if_link.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "xsk_peer.h"

#define OP(code, dst, src, off, imm) ((struct bpf_insn){code, dst, src, off, imm})
// Entries to jump over, up to "pass".
#define ELSE_PASS(at) (short)(19 - (at))

static int bpf(int command, union bpf_attr *attr) { return (int)syscall(__NR_bpf, command, attr, sizeof *attr); }

static int load(int map) {
  struct bpf_insn code[] = {
      OP(BPF_LDX | BPF_W | BPF_MEM, 2, 1, 0, 0),                      // 0: data
      OP(BPF_LDX | BPF_W | BPF_MEM, 3, 1, 4, 0),                      // 1: end of data
      OP(BPF_ALU64 | BPF_MOV | BPF_X, 4, 2, 0, 0),                    // 2
      OP(BPF_ALU64 | BPF_ADD | BPF_K, 4, 0, 0, HEADERS),              // 3
      OP(BPF_JMP | BPF_JGT | BPF_X, 4, 3, ELSE_PASS(5), 0),           // 4
      OP(BPF_LDX | BPF_H | BPF_MEM, 5, 2, 12, 0),                     // 5: type
      OP(BPF_JMP | BPF_JNE | BPF_K, 5, 0, ELSE_PASS(7), 0x0008),      // 6
      OP(BPF_LDX | BPF_B | BPF_MEM, 5, 2, 14, 0),                     // 7: no options
      OP(BPF_JMP | BPF_JNE | BPF_K, 5, 0, ELSE_PASS(9), 0x45),        // 8
      OP(BPF_LDX | BPF_B | BPF_MEM, 5, 2, 23, 0),                     // 9: UDP
      OP(BPF_JMP | BPF_JNE | BPF_K, 5, 0, ELSE_PASS(11), 17),         // 10
      OP(BPF_LDX | BPF_H | BPF_MEM, 5, 2, 34, 0),                     // 11: port of the sender
      OP(BPF_JMP | BPF_JNE | BPF_K, 5, 0, ELSE_PASS(13), (PORT & 0xFF) << 8 | PORT >> 8),
      OP(BPF_LDX | BPF_W | BPF_MEM, 2, 1, 16, 0),                     // 13: queue
      OP(BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0, map),    // 14
      OP(0, 0, 0, 0, 0),                                              // 15
      OP(BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, XDP_PASS),             // 16: for a queue without a socket
      OP(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_redirect_map),         // 17
      OP(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),                             // 18
      OP(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, XDP_PASS),             // 19: pass
      OP(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
  };
  union bpf_attr attr;
  char log[4096] = "";
  memset(&attr, 0, sizeof attr);
  attr.prog_type = BPF_PROG_TYPE_XDP;
  attr.insns = (uint64_t)(uintptr_t)code;
  attr.insn_cnt = sizeof code / sizeof code[0];
  attr.license = (uint64_t)(uintptr_t) "Apache-2.0";
  attr.log_buf = (uint64_t)(uintptr_t)log;
  attr.log_size = sizeof log;
  attr.log_level = 1;
  int fd = bpf(BPF_PROG_LOAD, &attr);
  if (fd < 0) fail("load of the program: %m: %s", log);
  return fd;
}

int program_attach(int interface, int driver, uint32_t queues) {
  union bpf_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.map_type = BPF_MAP_TYPE_XSKMAP;
  attr.key_size = attr.value_size = 4;
  attr.max_entries = queues;
  int map = bpf(BPF_MAP_CREATE, &attr);
  if (map < 0) fail("map: %m");
  int program = load(map);
  memset(&attr, 0, sizeof attr);
  attr.link_create.prog_fd = (uint32_t)program;
  attr.link_create.target_ifindex = (uint32_t)interface;
  attr.link_create.attach_type = BPF_XDP;
  attr.link_create.flags = driver ? XDP_FLAGS_DRV_MODE : XDP_FLAGS_SKB_MODE;
  // the descriptor stays open: the link ends with the process
  if (bpf(BPF_LINK_CREATE, &attr) < 0) fail("attach: %m");
  return map;
}

void program_put(int map, uint32_t number, int socket) {
  union bpf_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.map_fd = (uint32_t)map;
  attr.key = (uint64_t)(uintptr_t)&number;
  attr.value = (uint64_t)(uintptr_t)&socket;
  if (bpf(BPF_MAP_UPDATE_ELEM, &attr)) fail("map of queue %u: %m", number);
}
