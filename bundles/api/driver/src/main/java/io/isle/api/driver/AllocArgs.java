package io.isle.api.driver;

/**
 * An allocation of device memory (43.1.8).
 *
 * @param size bytes, at least 1
 * @param alignment a power of two
 * @param pageSize kind of pages
 * @param flags bit set of {@link #PINNED}, {@link #CPU_VISIBLE}, {@link #COHERENT}
 */
public record AllocArgs(long size, long alignment, PageSize pageSize, int flags) {
  public static final int PINNED = 0x100;
  public static final int CPU_VISIBLE = 0x200;
  public static final int COHERENT = 0x400;

  /** Kinds of pages, with the numbers of the driver ABI: 0 to 3 in this order. */
  public enum PageSize {
    STANDARD,
    HUGE_2M,
    HUGE_1G,
    DEVICE_OPTIMAL
  }
}
