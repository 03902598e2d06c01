package io.isle.net.tile;

import io.isle.api.net.tile.TxLinkMemory;
import io.isle.lib.packet.NetSig;
import io.isle.lib.packet.UdpFrame;
import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Dcache;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.Fseq;
import io.isle.lib.tango.Mcache;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An app's side of a TX link: numbers its frames, and obeys the credits. */
final class TestApp {
  static final int DEPTH = 128;
  static final int MTU = 256;

  /** Where the number lies in a frame. */
  static final int NUMBER = 42;

  final MemorySegment memory;
  final Mcache mcache;
  final Chunks chunks;
  final Fseq progress;
  final MemorySegment progressMemory;
  private final long data;
  private final long dataBytes = Dcache.dataBytes(MTU, DEPTH, 1);
  private final long seq0;
  private final int slot;
  private final long id;
  private long seq;
  private long chunk;

  TestApp(Arena arena, int slot, long id, long seq0) {
    this.slot = slot;
    this.id = id;
    this.seq0 = seq0;
    long head = (Mcache.footprint(DEPTH, 0) + 4095) / 4096 * 4096;
    data = head + 4096;
    memory = arena.allocate(head + Dcache.footprint(dataBytes, 0), 4096);
    mcache = Mcache.create(memory, DEPTH, 0, seq0);
    Dcache.create(memory.asSlice(head), dataBytes, 0);
    chunks = Chunks.of(memory, data, dataBytes, MTU);
    progressMemory = arena.allocate(Fseq.BYTES, Fseq.BYTES);
    progress = Fseq.create(progressMemory, seq0);
    seq = seq0;
    chunk = chunks.chunk0();
  }

  TxLinkMemory link() {
    return new TxLinkMemory(slot, id, memory, 0, DEPTH, seq0, data, dataBytes, MTU, progressMemory);
  }

  long sent() {
    return seq - seq0;
  }

  /** Sends one numbered datagram without a source; false without a credit. */
  boolean send(int destination, long number) {
    return send(destination, number, 0);
  }

  boolean send(int destination, long number, int source) {
    if (seq - progress.seq() >= DEPTH) {
      return false;
    }
    long at = Chunks.offset(chunk);
    int size = UdpFrame.write(memory, at, source, 1000, destination, 2000, 16);
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at + NUMBER, number);
    publish(NetSig.of(destination, destination, 2000, 0, 42), chunk, size);
    chunk = chunks.next(chunk, size);
    return true;
  }

  /** Publishes whatever the arguments say. */
  void publish(long signature, long at, int size) {
    mcache.publish(seq++, signature, at, size, Frag.WHOLE, 0, 0);
  }
}
