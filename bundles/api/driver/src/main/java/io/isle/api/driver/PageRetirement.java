package io.isle.api.driver;

import java.util.List;

/**
 * Extension: retires pages of device memory with uncorrectable errors (accelerator framework,
 * 42.3.7). Work that accesses such a page ends with ERROR and the detail -EHWPOISON until the page
 * is retired. Control lane.
 */
public interface PageRetirement {
  /** Pages in use with an uncorrectable error that are not retired; at most 1024 at a time. */
  List<Range> faulty();

  /**
   * Replaces a range of {@link #faulty} by healthy memory at the same addresses. The range reads as
   * zeros afterwards; all other contents stay. The device's memory shrinks by the retired pages for
   * good.
   *
   * @throws DriverException EINVAL if no page of the range is faulty; ENOENT for unknown memory
   */
  void retire(Range range);

  /** Number of pages retired since the opening of the device. */
  long retiredPages();

  /**
   * A part of a memory object, on page boundaries of the device except for the end of the object.
   *
   * @param memory core id
   * @param offset in bytes from the begin of the object
   * @param length in bytes, above 0
   */
  record Range(long memory, long offset, long length) {}
}
