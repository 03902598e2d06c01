package io.isle.lib.tile;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Map;

/**
 * Which app has which UDP port: two banks of a byte a port, of which a generation names the one in
 * force. A writer fills the other bank and then moves the generation, so that a reader sees the old
 * table or the new one. A reader that looks at a bank for so long that the table is replaced twice
 * sees ports of both. New memory is zero: no port has an app. One writer, any number of readers. No
 * allocation by readers.
 */
public final class AppTable {
  /** Most apps, numbered from 0. */
  public static final int APPS = 8;

  /** Number of ports. */
  public static final int PORTS = 1 << 16;

  /** Bytes of the memory. */
  public static final long BYTES = 64 + 2L * PORTS;

  private static final VarHandle GENERATION = ValueLayout.JAVA_LONG.varHandle();
  private static final long BANKS = 64;

  private final MemorySegment memory;
  private final long base;

  /**
   * The table in {@code memory}.
   *
   * @param memory aligned to 8 bytes; read-only memory is enough to look up
   * @throws IllegalArgumentException if the memory is smaller than {@link #BYTES}
   */
  public AppTable(MemorySegment memory) {
    if (memory.byteSize() < BYTES) {
      throw new IllegalArgumentException(
          "a table of apps needs " + BYTES + " bytes, the memory has " + memory.byteSize());
    }
    this.memory = memory;
    this.base = RawMemory.address(memory, Long.BYTES);
  }

  /** Where the bank in force lies, for {@link #app}; valid until the table is replaced. */
  public long bank() {
    return base + bank((long) GENERATION.getAcquire(memory, 0L));
  }

  /**
   * The app of a port.
   *
   * @param bank from {@link #bank()}
   * @param port 0 to 65535
   * @return number of the app; -1 without one
   */
  public int app(long bank, int port) {
    return RawMemory.ALL.get(ValueLayout.JAVA_BYTE, bank + port) - 1;
  }

  /**
   * Replaces the table.
   *
   * @param apps for each port its app, 0 to {@link #APPS} - 1
   * @throws IllegalArgumentException for a port or app out of range; nothing is changed
   */
  public void replace(Map<Integer, Integer> apps) {
    apps.forEach(AppTable::require);
    long generation = (long) GENERATION.getAcquire(memory, 0L) + 1;
    long bank = bank(generation);
    memory.asSlice(bank, PORTS).fill((byte) 0);
    apps.forEach((port, app) -> memory.set(ValueLayout.JAVA_BYTE, bank + port, (byte) (app + 1)));
    GENERATION.setRelease(memory, 0L, generation);
  }

  private static void require(int port, int app) {
    if (port < 0 || port >= PORTS || app < 0 || app >= APPS) {
      throw new IllegalArgumentException(
          "port " + port + " and app " + app + " are not within 65535 and " + (APPS - 1));
    }
  }

  private static long bank(long generation) {
    return BANKS + (generation & 1) * PORTS;
  }
}
