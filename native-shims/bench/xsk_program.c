#define _GNU_SOURCE
#include <errno.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "xsk.h"

static int bpf(enum bpf_cmd command, union bpf_attr *attributes)
{
    return (int)syscall(SYS_bpf, command, attributes, sizeof *attributes);
}

static int map_of_sockets(void)
{
    union bpf_attr a;
    memset(&a, 0, sizeof a);
    a.map_type = BPF_MAP_TYPE_XSKMAP;
    a.key_size = a.value_size = sizeof(uint32_t);
    a.max_entries = 1;
    return bpf(BPF_MAP_CREATE, &a);
}

/* bpf_redirect_map(map, queue of the frame, XDP_PASS) */
static int program(int map)
{
    const struct bpf_insn code[] = {
        {.code = BPF_LDX | BPF_MEM | BPF_W, .dst_reg = 2, .src_reg = 1, .off = offsetof(struct xdp_md, rx_queue_index)},
        {.code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = 1, .src_reg = BPF_PSEUDO_MAP_FD, .imm = map},
        {0},
        {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 3, .imm = XDP_PASS},
        {.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_redirect_map},
        {.code = BPF_JMP | BPF_EXIT},
    };
    union bpf_attr a;
    memset(&a, 0, sizeof a);
    a.prog_type = BPF_PROG_TYPE_XDP;
    a.expected_attach_type = BPF_XDP;
    a.insns = (uintptr_t)code;
    a.insn_cnt = sizeof code / sizeof *code;
    a.license = (uintptr_t) "GPL";
    return bpf(BPF_PROG_LOAD, &a);
}

void xsk_attach(const xsk *s, const char *mode)
{
    int drv = !strcmp(mode, "drv"), map = map_of_sockets(), loaded = map < 0 ? -1 : program(map);
    if (!drv && strcmp(mode, "skb"))
        xsk_fail("the mode %s is neither skb nor drv", mode);
    if (loaded < 0)
        xsk_fail("the program of XDP: %s", strerror(errno));
    union bpf_attr a;
    memset(&a, 0, sizeof a);
    a.link_create.prog_fd = (uint32_t)loaded;
    a.link_create.target_ifindex = (uint32_t)s->interface;
    a.link_create.attach_type = BPF_XDP;
    a.link_create.flags = drv ? XDP_FLAGS_DRV_MODE : XDP_FLAGS_SKB_MODE;
    if (bpf(BPF_LINK_CREATE, &a) < 0)
        xsk_fail("the program cannot be attached: %s", strerror(errno));
    uint32_t queue = 0, value = (uint32_t)s->fd;
    memset(&a, 0, sizeof a);
    a.map_fd = (uint32_t)map;
    a.key = (uintptr_t)&queue;
    a.value = (uintptr_t)&value;
    if (bpf(BPF_MAP_UPDATE_ELEM, &a) < 0)
        xsk_fail("the socket cannot be entered into the map: %s", strerror(errno));
}

static void need(int held, const char *what)
{
    if (!held) {
        fprintf(stderr, "%s: %s\n", what, strerror(errno));
        exit(3);
    }
}

void xsk_check(void)
{
    need(unshare(CLONE_NEWNET) == 0, "a network namespace (needs root)");
    need(socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0) >= 0, "a socket of AF_XDP");
    int map = map_of_sockets();
    need(map >= 0, "a map of eBPF");
    need(program(map) >= 0, "a program of XDP");
}
