package io.isle.lib.tango;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** A link in memory for tests: chunks count from the dcache. */
final class Links {
  static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  final MemorySegment lines;
  final MemorySegment data;
  final Mcache mcache;
  final Chunks chunks;

  Links(int depth, int mtu, long seq0) {
    lines = memory(Mcache.footprint(depth, 0), Mcache.ALIGN);
    mcache = Mcache.create(lines, depth, 0, seq0);
    long bytes = Dcache.dataBytes(mtu, depth, 1);
    data = memory(Dcache.footprint(bytes, 0), Dcache.ALIGN);
    Dcache dcache = Dcache.create(data, bytes, 0);
    chunks = Chunks.of(data, TangoLayout.DcacheHead.HEAD_BYTES, dcache.dataBytes(), mtu);
  }

  static MemorySegment memory(long bytes, int align) {
    return Arena.ofAuto().allocate(bytes, align);
  }

  LinkWriter writer() {
    return new LinkWriter(mcache, chunks);
  }

  /** Publishes a payload of the fragment's number. */
  static void publish(LinkWriter writer, int size) {
    for (long at = 0; at < Chunks.slot(size); at += 8) {
      writer.memory().set(U64, writer.offset() + at, writer.seq());
    }
    writer.publish(writer.seq(), size, Frag.WHOLE, 1, 2);
  }

  /** Whether the payload of a fragment is as it was published. */
  boolean isWhole(Frag frag) {
    for (long at = 0; at < Chunks.slot(frag.size()); at += 8) {
      if (data.get(U64, Chunks.offset(frag.chunk()) + at) != frag.seq()) {
        return false;
      }
    }
    return frag.sig() == frag.seq() && frag.ctl() == Frag.WHOLE && frag.tspub() == 2;
  }

  long line(long seq) {
    return 256 + (seq & mcache.depth() - 1) * 32;
  }
}
