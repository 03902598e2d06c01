package io.isle.apps.jobs.kernel;

import io.isle.api.accel.KernelInfo;
import io.isle.api.base.Errno;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.spec.Located;
import java.util.Optional;

/**
 * What a kernel takes the elements of a buffer to be, against what the job file or the file says
 * that they are. Immutable.
 *
 * @param type of the scalars; empty where nobody knows it, and where any type does
 * @param argument for messages
 * @param where what is at fault when the types differ
 */
record PointedType(Optional<ElementType> type, String argument, Located where) {
  static PointedType of(KernelInfo.Argument argument, int index, boolean any, Located where) {
    return new PointedType(
        any ? Optional.empty() : Described.pointed(argument),
        Described.name(argument, index),
        where);
  }

  /**
   * Compares them; signs may differ.
   *
   * @throws io.isle.api.jobs.JobException EINVAL saying what to write
   */
  void check(String buffer, ElementType held) {
    if (type.isEmpty() || fits(type.get(), held)) {
      return;
    }
    throw where.failure(
        Errno.EINVAL,
        argument
            + " of the kernel points to "
            + type.get().text()
            + "; the buffer "
            + buffer
            + " has the type "
            + held.text()
            + ". Give the buffer the type "
            + type.get().text()
            + ", or write {raw: "
            + buffer
            + "} under 'args' if the kernel takes the bytes as they are");
  }

  private static boolean fits(ElementType wanted, ElementType held) {
    return wanted.bytes() == held.bytes() && wanted.isReal() == held.isReal();
  }
}
