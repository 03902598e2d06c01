package io.isle.api.driver;

/**
 * The arguments of an allocation of device memory (accelerator framework, 43.1.8).
 *
 * @param size in bytes, at least 1
 * @param alignment in bytes, a power of two
 * @param pageSize kind of pages
 * @param flags bit set of {@link #PINNED}, {@link #CPU_VISIBLE}, {@link #COHERENT}
 */
public record AllocArgs(long size, long alignment, PageSize pageSize, int flags) {
  /** Flag: only a forced migration moves the pages. */
  public static final int PINNED = 0x100;

  /** Flag: the CPU can access the memory. */
  public static final int CPU_VISIBLE = 0x200;

  /** Flag: CPU and device see each other's writes without a flush. */
  public static final int COHERENT = 0x400;

  /** Kinds of pages, with the numbers of the driver ABI: 0 to 3 in this order. */
  public enum PageSize {
    /** Pages of 4 KiB. */
    STANDARD,
    /** Pages of 2 MiB. */
    HUGE_2M,
    /** Pages of 1 GiB. */
    HUGE_1G,
    /** The device chooses the size of the pages. */
    DEVICE_OPTIMAL
  }
}
