package io.isle.net.xdp.socket;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.isle.lib.ffi.Sockets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Structures of AF_XDP for calls. */
final class XdpStructures {
  /** With the length of the metadata, which older kernels do not have: then without. */
  private static final int UMEM_BYTES = 32;

  private static final int ADDRESS_BYTES = 16;

  private final Arena arena;

  XdpStructures(Arena arena) {
    this.arena = arena;
  }

  /** Structure xdp_umem_reg {u64 address, u64 length, u32 frame, u32 headroom, u32 flags, u32}. */
  MemorySegment umem(Umem umem) {
    MemorySegment registration = arena.allocate(UMEM_BYTES, 8);
    registration.set(JAVA_LONG, 0, umem.memory().address());
    registration.set(JAVA_LONG, 8, umem.memory().byteSize());
    registration.set(JAVA_INT, 16, Umem.FRAME_BYTES);
    return registration;
  }

  /** Structure sockaddr_xdp {u16 family, u16 flags, u32 interface, u32 queue, u32 socket}. */
  MemorySegment address(XskWish wish, int flags, int shared) {
    MemorySegment address = arena.allocate(ADDRESS_BYTES, 4);
    address.set(JAVA_SHORT, 0, (short) Sockets.AF_XDP);
    address.set(JAVA_SHORT, 2, (short) flags);
    address.set(JAVA_INT, 4, wish.interfaceIndex());
    address.set(JAVA_INT, 8, wish.queue());
    address.set(JAVA_INT, 12, Math.max(0, shared));
    return address;
  }
}
