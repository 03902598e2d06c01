package io.isle.lib.tango;

import static io.isle.lib.tango.TangoLayout.LONG;
import static io.isle.lib.tango.TangoLayout.U64;

import io.isle.lib.tango.TangoLayout.DcacheHead;
import java.lang.foreign.MemorySegment;

/** Memory for payloads of a link, and its head. {@link Chunks} has the arithmetic of places. */
public final class Dcache {
  /** First word of a dcache. */
  public static final long MAGIC_VALUE = 0xF17EDA2C37DCA540L;

  /** Alignment of a dcache in memory and of its regions, in bytes. */
  public static final int ALIGN = 4096;

  /** Most bytes of a data region: as many chunks as a fragment can name. */
  public static final long MOST_BYTES = Chunks.MOST * Chunks.BYTES;

  private final MemorySegment memory;
  private final long dataBytes;
  private final long appBytes;

  private Dcache(MemorySegment memory, long dataBytes, long appBytes) {
    this.memory = memory;
    this.dataBytes = dataBytes;
    this.appBytes = appBytes;
  }

  /**
   * Bytes of a dcache.
   *
   * @param dataBytes 0 to {@link #MOST_BYTES}
   * @param appBytes of the application's region, 0 to 2^31 - 1
   * @throws IllegalArgumentException naming the limit
   */
  public static long footprint(long dataBytes, long appBytes) {
    if (dataBytes < 0 || dataBytes > MOST_BYTES) {
      throw new IllegalArgumentException(
          "data region "
              + Long.toUnsignedString(dataBytes)
              + " of a dcache is not in 0.."
              + MOST_BYTES
              + " bytes");
    }
    if (appBytes < 0 || appBytes > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "application region "
              + Long.toUnsignedString(appBytes)
              + " of a dcache is not in 0..2147483647 bytes");
    }
    return appOffset(dataBytes) + TangoLayout.aligned(appBytes, ALIGN);
  }

  private static long appOffset(long dataBytes) {
    return DcacheHead.HEAD_BYTES + TangoLayout.aligned(dataBytes, ALIGN);
  }

  /**
   * Bytes of a data region in which each of {@code depth} visible payloads and of {@code burst}
   * payloads in the making has room, without a payload that goes round the end.
   *
   * @param mtu most bytes of a payload, 1 to 65535
   * @param depth lines of the mcache
   * @param burst 1 to 65536
   * @throws IllegalArgumentException naming the limit
   */
  public static long dataBytes(int mtu, int depth, int burst) {
    Chunks.requireMtu(mtu);
    if (burst < 1 || burst > Chunks.MOST_BURST) {
      throw new IllegalArgumentException("burst " + burst + " is not in 1.." + Chunks.MOST_BURST);
    }
    // one slot more, because payloads do not go round the end
    return Chunks.slot(mtu) * ((long) depth + burst + 1);
  }

  /**
   * Makes a dcache. Its data are zero; the magic number is written last.
   *
   * @param memory at least {@link #footprint} bytes at a multiple of {@link #ALIGN}
   * @throws IllegalArgumentException naming the limit
   */
  public static Dcache create(MemorySegment memory, long dataBytes, long appBytes) {
    long bytes = footprint(dataBytes, appBytes);
    Memory.require("a dcache", memory, bytes, ALIGN);
    memory.asSlice(0, bytes).fill((byte) 0);
    return format(memory, dataBytes, appBytes);
  }

  /** Writes the head into memory that is zero. */
  static Dcache format(MemorySegment memory, long dataBytes, long appBytes) {
    memory.set(U64, DcacheHead.DATA_SZ, dataBytes);
    memory.set(U64, DcacheHead.APP_SZ, appBytes);
    memory.set(U64, DcacheHead.APP_OFF, appOffset(dataBytes));
    LONG.setRelease(memory, DcacheHead.MAGIC, MAGIC_VALUE);
    return new Dcache(memory, dataBytes, appBytes);
  }

  /**
   * Opens a dcache of another program, which is checked, and whose head is not read again.
   *
   * @param memory from the head on, at a multiple of {@link #ALIGN}
   * @throws IllegalArgumentException naming the field and its limit
   */
  public static Dcache open(MemorySegment memory) {
    Memory.require("a dcache", memory, DcacheHead.HEAD_BYTES, ALIGN);
    Memory.requireMagic("a dcache", memory, MAGIC_VALUE);
    long dataBytes = memory.get(U64, DcacheHead.DATA_SZ);
    long appBytes = memory.get(U64, DcacheHead.APP_SZ);
    long bytes = footprint(dataBytes, appBytes);
    Memory.require("a dcache of " + dataBytes + " bytes of data", memory, bytes, ALIGN);
    long appOffset = memory.get(U64, DcacheHead.APP_OFF);
    if (appOffset != appOffset(dataBytes)) {
      throw new IllegalArgumentException(
          "app_off "
              + Long.toUnsignedString(appOffset)
              + " of a dcache of "
              + dataBytes
              + " bytes of data is not "
              + appOffset(dataBytes));
    }
    return new Dcache(memory, dataBytes, appBytes);
  }

  /** Bytes of the data region. */
  public long dataBytes() {
    return dataBytes;
  }

  /** The data region. */
  public MemorySegment data() {
    return memory.asSlice(DcacheHead.HEAD_BYTES, dataBytes);
  }

  /** The application's region; of 0 bytes if there is none. */
  public MemorySegment app() {
    return memory.asSlice(appOffset(dataBytes), appBytes);
  }
}
