package io.isle.api.driver;

import java.util.List;

/**
 * Extension: takes pages of device memory with uncorrectable errors out of use (accelerator
 * framework, 42.3.7). Work that touches such a page ends with ERROR and the detail -EHWPOISON until
 * the page is retired. Control lane.
 */
public interface PageRetirement {
  /** Pages in use that have an uncorrectable error and are not retired; at most 1024 at a time. */
  List<Range> faulty();

  /**
   * Puts healthy memory in the place of a range that {@link #faulty} named. The range reads as
   * zeros afterwards; all other contents stay, and so do addresses. The pages leave the device's
   * memory for good, so that there is less of it.
   *
   * @throws DriverException EINVAL when no page of the range is faulty; ENOENT for an unknown
   *     memory
   */
  void retire(Range range);

  /** Pages retired while the device has been open. */
  long retiredPages();

  /**
   * A part of a memory object, on page boundaries of the device but for the object's end.
   *
   * @param memory core id
   * @param offset bytes from the object's start
   * @param length bytes, above 0
   */
  record Range(long memory, long offset, long length) {}
}
