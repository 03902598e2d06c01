package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.Located;
import java.util.List;

/** Rows of arrays: what one step of the first index spans. */
final class Rows {
  private Rows() {}

  /**
   * Bytes of a row.
   *
   * @param shape of the array; its first extent does not matter
   * @throws io.isle.api.jobs.JobException EINVAL for none, and beyond any limit
   */
  static long bytes(Located where, ElementType type, List<Long> shape) {
    try {
      long row = Dims.elements(shape.subList(1, shape.size())) * type.bytes();
      if (row > 0) {
        return row;
      }
    } catch (ArithmeticException e) {
      throw where.failure(Errno.EINVAL, "a row has " + e.getMessage());
    }
    throw where.failure(Errno.EINVAL, "a row has no elements");
  }

  /**
   * Rows of a raw file whose size is known.
   *
   * @param row bytes of one
   * @throws io.isle.api.jobs.JobException EINVAL when the file ends within one
   */
  static long count(Buffers.Input input, FileLane file, long row) {
    long bytes = Math.max(0, file.bytes());
    if (bytes % row != 0) {
      throw input
          .where()
          .failure(
              Errno.EINVAL,
              file.path()
                  + " has "
                  + bytes
                  + " bytes, which is not a multiple of the "
                  + row
                  + " bytes of a row of "
                  + file.type().text());
    }
    return bytes / row;
  }
}
