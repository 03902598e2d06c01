package io.isle.lib.tile;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * One side of a ring that a process shares with the kernel (AF_XDP): the producer's side of FILL
 * and TX, or the consumer's side of RX and COMPLETION. The other side belongs to the kernel.
 *
 * <p>A producer asks {@link #free}, writes entries 0, 1, ... behind the published ones, then calls
 * {@link #publish}. A consumer asks {@link #available}, reads entries 0, 1, ... from the oldest,
 * then calls {@link #release}. Entries are located by a mask, so no word in the memory, however
 * broken, leads outside of the ring.
 *
 * <p>All state is in the memory: a further object on the same memory goes on where the last one
 * published or released. Allocates nothing after construction. One thread at a time; closed memory
 * throws IllegalStateException.
 */
public final class KernelRing {
  private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();
  private static final int NEED_WAKEUP = 1;
  private static final long LENGTH = 8;
  private static final long OPTIONS = 12;

  /** Stays mapped while the ring is in use. */
  final MemorySegment memory;

  private final long producerWord;
  private final long consumerWord;
  private final long flagsWord;
  private final long entries;
  private final int size;
  private final int mask;
  private final int shift;
  private int producer;
  private int consumer;

  /**
   * A side of the ring in {@code memory}, which goes on at the indices there.
   *
   * @param memory native and aligned to 8 bytes, as mapped
   * @throws IllegalArgumentException if the memory is smaller than {@link RingLayout#bytes}
   */
  public KernelRing(MemorySegment memory, RingLayout layout) {
    layout.requireWithin(memory);
    this.memory = memory;
    long base = RawMemory.address(memory, Long.BYTES);
    this.producerWord = base + layout.producer();
    this.consumerWord = base + layout.consumer();
    this.flagsWord = base + layout.flags();
    this.entries = base + layout.entries();
    this.size = layout.size();
    this.mask = size - 1;
    this.shift = Integer.numberOfTrailingZeros(layout.entryBytes());
    this.producer = producerIndex();
    this.consumer = consumerIndex();
  }

  /** Number of entries. */
  public int size() {
    return size;
  }

  /** The producer's index as it stands in memory, modulo 2^32; any thread. */
  public int producerIndex() {
    return (int) WORD.getAcquire(RawMemory.ALL, producerWord);
  }

  /** The consumer's index as it stands in memory, modulo 2^32; any thread. */
  public int consumerIndex() {
    return (int) WORD.getAcquire(RawMemory.ALL, consumerWord);
  }

  /** Published entries that are not released, from memory; beyond the size if broken. */
  public int pending() {
    int released = consumerIndex();
    return producerIndex() - released;
  }

  /**
   * Whether the kernel sleeps until a call wakes it. Behind {@link #publish}: a wake-up is then not
   * missed.
   */
  public boolean needsWakeup() {
    // the kernel sets the flag, then looks for entries
    VarHandle.fullFence();
    return ((int) WORD.getOpaque(RawMemory.ALL, flagsWord) & NEED_WAKEUP) != 0;
  }

  /**
   * Room for a producer.
   *
   * @param wanted entries; with so many known, the kernel's index is not read
   * @return free entries, 0 to the size
   */
  public int free(int wanted) {
    int free = size - (producer - consumer);
    if (free < wanted) {
      consumer = consumerIndex();
      free = size - (producer - consumer);
    }
    return Math.clamp(free, 0, size);
  }

  /**
   * Writes an entry of FILL.
   *
   * @param index 0 for the first unpublished entry, less than {@link #free}
   * @param address offset of a frame in the UMEM
   */
  public void address(int index, long address) {
    RawMemory.ALL.set(ValueLayout.JAVA_LONG, at(producer + index), address);
  }

  /**
   * Writes an entry of TX.
   *
   * @param index 0 for the first unpublished entry, less than {@link #free}
   * @param address offset of the first byte in the UMEM
   * @param length bytes
   */
  public void descriptor(int index, long address, int length) {
    long at = at(producer + index);
    RawMemory.ALL.set(ValueLayout.JAVA_LONG, at, address);
    RawMemory.ALL.set(ValueLayout.JAVA_INT, at + LENGTH, length);
    RawMemory.ALL.set(ValueLayout.JAVA_INT, at + OPTIONS, 0);
  }

  /**
   * Reads the address of an entry that is written and not published.
   *
   * @param index as it was written
   */
  public long written(int index) {
    return RawMemory.ALL.get(ValueLayout.JAVA_LONG, at(producer + index));
  }

  /** Hands the first {@code count} written entries to the kernel. */
  public void publish(int count) {
    producer += count;
    WORD.setRelease(RawMemory.ALL, producerWord, producer);
  }

  /**
   * Entries for a consumer.
   *
   * @param wanted entries; with so many known, the kernel's index is not read
   * @return entries to read, 0 to the size
   */
  public int available(int wanted) {
    int available = producer - consumer;
    if (available < wanted) {
      producer = producerIndex();
      available = producer - consumer;
    }
    return Math.clamp(available, 0, size);
  }

  /**
   * Reads the address of an entry.
   *
   * @param index 0 for the oldest entry, less than {@link #available}
   * @return offset in the UMEM, as the kernel wrote it
   */
  public long address(int index) {
    return RawMemory.ALL.get(ValueLayout.JAVA_LONG, at(consumer + index));
  }

  /** Reads the length of an entry of RX in bytes; see {@link #address(int)}. */
  public int length(int index) {
    return RawMemory.ALL.get(ValueLayout.JAVA_INT, at(consumer + index) + LENGTH);
  }

  /** Reads the options of an entry of RX; see {@link #address(int)}. */
  public int options(int index) {
    return RawMemory.ALL.get(ValueLayout.JAVA_INT, at(consumer + index) + OPTIONS);
  }

  /** Gives the oldest {@code count} entries back to the kernel. */
  public void release(int count) {
    consumer += count;
    WORD.setRelease(RawMemory.ALL, consumerWord, consumer);
  }

  private long at(int index) {
    return entries + ((long) (index & mask) << shift);
  }
}
