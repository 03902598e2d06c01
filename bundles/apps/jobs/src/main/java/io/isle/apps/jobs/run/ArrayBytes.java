package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.spec.Located;
import java.util.List;

/** Lengths of arrays on devices. Pure functions. */
final class ArrayBytes {
  private ArrayBytes() {}

  /**
   * Length of an array on a device.
   *
   * @param where what is at fault
   * @throws io.isle.api.jobs.JobException EINVAL for none, which no device has; ENOMEM beyond any
   *     limit
   */
  static long of(Located where, ElementType type, List<Long> shape) {
    long bytes;
    try {
      bytes = Math.multiplyExact(Dims.elements(shape), type.bytes());
    } catch (ArithmeticException e) {
      throw where.failure(Errno.ENOMEM, Dims.show(shape) + ": " + e.getMessage());
    }
    if (bytes == 0) {
      throw where.failure(
          Errno.EINVAL,
          type.text()
              + " "
              + Dims.show(shape)
              + " has no elements; a buffer on a device has at least one");
    }
    return bytes;
  }
}
