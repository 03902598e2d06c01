package io.isle.net.tile;

import io.isle.api.net.tile.RxLinkMemory;
import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Lines;
import io.isle.lib.tango.Mcache;
import io.isle.lib.tile.RawMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A link to an app, each line of which owns a frame of the UMEM. A line without a frame is as fresh
 * as the link: size 0, ctl 7.
 */
final class RxLink {
  private static final ValueLayout.OfLong WORDS =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle WORD = WORDS.varHandle();
  private static final long LINES = 256;
  private static final long LINE_BYTES = 32;
  private static final long PLACE = 16;

  /** Place of a line without a frame. */
  static final long FRESH = 7L << 48;

  final int app;
  final int instance;

  /** Stays mapped while the link is in use. */
  final MemorySegment memory;

  private final long lines;
  private final Lines published;
  private final Mcache mcache;
  private final long mask;
  private long next;
  private long produced;

  RxLink(RxLinkMemory link) {
    app = link.app();
    instance = link.instance();
    memory = link.mcache();
    mcache = Mcache.open(memory);
    lines = RawMemory.address(memory, Mcache.ALIGN) + LINES;
    published = mcache.lines();
    mask = mcache.depth() - 1L;
    next = mcache.next();
    produced = mcache.produced();
  }

  int depth() {
    return mcache.depth();
  }

  /** Where the frame lies that the next publication displaces. */
  long displaced() {
    return address(line(next));
  }

  /** Publishes the bytes at an address of the UMEM; the displaced frame is in FILL. */
  void publish(long signature, long address, int length, int time) {
    published.publish(
        next, signature, address >>> 6, length, (int) address & Chunks.BYTES - 1, time, time);
    next++;
  }

  /** Tells consumers how far the link is. */
  void settle() {
    if (produced != next) {
      produced = next;
      mcache.produced(next);
    }
  }

  /** Whether a line has a frame; the line is a number below {@link #depth}. */
  boolean hasFrame(int line) {
    return isFrame(place(line));
  }

  /** Where the frame of a line lies. */
  long address(int line) {
    return address(place(line));
  }

  /** Whether a place is that of a frame. */
  static boolean isFrame(long place) {
    return (place & ~0xFFFF_FFFFL) != FRESH;
  }

  /** Where the frame of a place lies. */
  static long address(long place) {
    return (place & 0xFFFF_FFFFL) << 6 | place >>> 48 & 63;
  }

  /** The places of all lines by number: the code of an opening is not compiled yet. */
  long[] places() {
    int words = (int) (LINE_BYTES / Long.BYTES);
    long[] all = new long[depth() * words];
    MemorySegment.copy(memory, WORDS, LINES, all, 0, all.length);
    long[] places = new long[depth()];
    for (int line = 0; line < places.length; line++) {
      places[line] = all[line * words + (int) (PLACE / Long.BYTES)];
    }
    return places;
  }

  /** Whether a line shows a publication, and not one in the making. */
  boolean isPublished(int line) {
    return ((long) WORD.getAcquire(RawMemory.ALL, at(line)) & mask) == line;
  }

  /** Takes a line from consumers until the line is published again. */
  void hide(int line) {
    long again = next + (line - next & mask);
    WORD.setRelease(RawMemory.ALL, at(line), again - 1);
  }

  /** Gives a line another frame; the line shows no publication. */
  void assign(int line, long address) {
    WORD.setRelease(RawMemory.ALL, at(line) + PLACE, address >>> 6 | (address & 63) << 48);
  }

  /** Leaves a line without a frame. */
  void clear(int line) {
    WORD.setRelease(RawMemory.ALL, at(line) + PLACE, FRESH);
  }

  private int line(long seq) {
    return (int) (seq & mask);
  }

  private long place(int line) {
    return (long) WORD.getAcquire(RawMemory.ALL, at(line) + PLACE);
  }

  private long at(int line) {
    return lines + line * LINE_BYTES;
  }
}
