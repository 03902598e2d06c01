package io.isle.fabric.ring.node;

import io.isle.fabric.ring.link.Link;
import io.isle.lib.ffi.MappedArena;
import java.lang.foreign.MemorySegment;

/**
 * The memory of a claimed packet: the neighbour's if the link offers it, else the endpoint's own,
 * which no other tenant sees. Used with the right to send.
 */
final class ClaimedPacket {
  private final int bytes;
  private final MappedArena arena = new MappedArena();

  /** Memory of the endpoint; made by the first claim that needs it. */
  private MemorySegment own;

  private volatile MemorySegment memory;
  private boolean ofLink;

  ClaimedPacket(int bytes) {
    this.bytes = bytes;
  }

  void begin(Link link) {
    MemorySegment offered = link.claim();
    ofLink = offered != null;
    if (!ofLink && own == null) {
      own = arena.allocate(bytes, 64);
    }
    memory = ofLink ? offered : own;
  }

  /** The memory, if a packet is claimed. */
  MemorySegment memory() {
    MemorySegment now = memory;
    if (now == null) {
      throw new IllegalStateException("no packet is claimed: see claimNext");
    }
    return now;
  }

  boolean isOfLink() {
    return ofLink;
  }

  void end(Link link) {
    memory = null;
    if (ofLink) {
      ofLink = false;
      link.abandon();
    }
  }

  /** Ends the access to all memory that was claimed. */
  void close(Link link) {
    end(link);
    link.revoke();
    boolean ignored = arena.tryClose();
  }
}
