package io.isle.lib.tango;

import java.lang.foreign.MemorySegment;

/**
 * The producing side of a link: the next number and the next place of a payload. The caller writes
 * a payload at {@link #offset} of {@link #memory}, and publishes it. One thread at a time. Methods
 * of the data path allocate and throw nothing.
 */
public final class LinkWriter {
  /** The producer tells its number as often; less than the least depth. */
  private static final long TOLD = 64;

  private final Mcache mcache;
  private final Chunks chunks;
  private final MemorySegment memory;
  private long seq;
  private long chunk;

  /**
   * Goes on where the last producer of the link ended, by {@link #settle} or by a crash: at the
   * next number, and at the place behind the last published payload. A link without a published
   * fragment begins at its first chunk.
   *
   * @throws IllegalArgumentException if the data region is too small for the mtu at this depth
   * @throws IllegalStateException for lines that no producer leaves, with line and number
   */
  public LinkWriter(Mcache mcache, Chunks chunks) {
    chunks.requireRoom(mcache.depth());
    this.mcache = mcache;
    this.chunks = chunks;
    this.memory = chunks.memory();
    seq = mcache.next();
    chunk = placeBehind(seq - 1);
    mcache.produced(seq);
  }

  private long placeBehind(long last) {
    Frag frag = new Frag();
    if (mcache.read(last, frag) != 0) {
      if (seq == mcache.seq0()) {
        return chunks.chunk0();
      }
      throw new IllegalStateException(
          "fragment "
              + Long.toUnsignedString(last)
              + " is published, says the mcache, but its line has number "
              + Long.toUnsignedString(mcache.peek(last)));
    }
    if (!chunks.contains(frag.chunk(), frag.size())) {
      throw new IllegalStateException(
          "fragment "
              + Long.toUnsignedString(last)
              + " of "
              + frag.size()
              + " bytes at chunk "
              + frag.chunk()
              + " is not in the data region, chunks "
              + chunks.chunk0()
              + ".."
              + chunks.chunk1());
    }
    return chunks.next(frag.chunk(), frag.size());
  }

  /** Number of the next fragment. */
  public long seq() {
    return seq;
  }

  /** Chunk of the next payload. */
  public long chunk() {
    return chunk;
  }

  /** Memory of payloads. */
  public MemorySegment memory() {
    return memory;
  }

  /** Where the next payload belongs: room for the mtu of the places. */
  public long offset() {
    return Chunks.offset(chunk);
  }

  /**
   * Publishes the payload at {@link #offset}.
   *
   * @param size 0 to the mtu
   */
  public void publish(long sig, int size, int ctl, int tsorig, int tspub) {
    mcache.publish(seq, sig, chunk, size, ctl, tsorig, tspub);
    chunk = chunks.next(chunk, size);
    seq++;
    if (seq % TOLD == 0) {
      mcache.produced(seq);
    }
  }

  /** Tells consumers of all that is published; before a pause, and at the end. */
  public void settle() {
    mcache.produced(seq);
  }
}
