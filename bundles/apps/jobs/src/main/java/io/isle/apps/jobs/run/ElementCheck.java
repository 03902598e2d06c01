package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.Tolerance;
import io.isle.apps.jobs.spec.Buffers;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Compares the elements of an output in order; the first that differs ends the job. One thread. */
final class ElementCheck {
  private final String step;
  private final Buffers.Output output;
  private final Buffers.Expect expect;
  private final ElementType type;
  private final List<Long> shape;
  private final Tolerance tolerance;
  private long done;

  /**
   * @param output that expects something
   * @param shape its first extent may be -1, when it is not known
   */
  ElementCheck(String step, Buffers.Output output, ElementType type, List<Long> shape) {
    this.step = step;
    this.output = output;
    this.expect = output.expect().orElseThrow();
    this.type = type;
    this.shape = List.copyOf(shape);
    tolerance = new Tolerance(expect.absolute(), expect.relative());
  }

  ElementType type() {
    return type;
  }

  /** Compares the next {@code count} elements, from the start of both. */
  void next(MemorySegment found, ElementType wantedType, MemorySegment wanted, long count) {
    long differs = tolerance.first(type, found, wantedType, wanted, count);
    if (differs >= 0) {
      throw different(differs, found, wantedType, wanted);
    }
    done += count;
  }

  private JobException different(
      long index, MemorySegment found, ElementType wantedType, MemorySegment wanted) {
    String allowed =
        expect.absolute() == 0 && expect.relative() == 0
            ? ""
            : String.format(
                Locale.ROOT,
                " (difference %.6g; allowed: %s + %s * |expected|)",
                Math.abs(type.real(found, index) - wantedType.real(wanted, index)),
                Text.number(expect.absolute()),
                Text.number(expect.relative()));
    return mismatch(
        position(done + index)
            + " is "
            + type.show(found, index)
            + ", expected "
            + wantedType.show(wanted, index)
            + allowed);
  }

  private String position(long index) {
    List<Long> known = new ArrayList<>(shape);
    if (!known.isEmpty() && known.getFirst() < 0) {
      known.set(0, Dims.MAX_BYTES);
    }
    return output.name() + Dims.position(known, index);
  }

  /** More elements were found than are expected. */
  JobException tooLong() {
    return mismatch("has more than the " + done + " expected elements");
  }

  /** More elements are expected than were found. */
  JobException tooShort() {
    return mismatch("has " + done + " elements; more are expected");
  }

  private JobException mismatch(String what) {
    return failure(
        Errno.EIO,
        "step " + step + ": the output differs: " + what + "; the output was not written");
  }

  /** What is expected cannot be had, or does not fit the output. */
  JobException failure(int code, String what) {
    return expect.where().failure(code, what);
  }

  /** The other shape is not that of the output. */
  JobException unfit(List<Long> other) {
    return failure(
        Errno.EINVAL,
        "has the shape " + Dims.show(other) + "; the output has the shape " + Dims.show(shape));
  }

  /** Whether it can have so many elements in all. */
  boolean hasElements(long elements) {
    boolean known = shape.isEmpty() || shape.getFirst() >= 0;
    return !known || Dims.elements(shape) == elements;
  }

  /** Whether a whole of that shape can be what is expected. */
  boolean fits(List<Long> other) {
    if (other.size() != shape.size()) {
      return false;
    }
    for (int i = 0; i < shape.size(); i++) {
      if (shape.get(i) >= 0 && !shape.get(i).equals(other.get(i))) {
        return false;
      }
    }
    return true;
  }
}
