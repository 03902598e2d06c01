package io.isle.apps.jobs.spec;

import java.util.List;
import java.util.Optional;

/**
 * How many work items a dispatch has, as OpenCL's host programs say it. Each list has one to three
 * formulas where it has any. Immutable.
 *
 * @param size work items in each dimension; none for the program's own
 * @param local those of a work-group; an empty list where the driver may choose them; absent where
 *     the job file says nothing
 * @param offset first global ids; none for zeros
 */
public record NdRange(
    List<Buffers.Formula> size,
    Optional<List<Buffers.Formula>> local,
    List<Buffers.Formula> offset) {
  /** What begins the names of extents of the size in formulas. */
  public static final String SIZE = "size_";

  /** What begins the names of extents of a work-group in formulas. */
  public static final String LOCAL = "local_";

  /** The names of the dimensions. */
  public static final List<String> DIMENSIONS = List.of("x", "y", "z");

  public NdRange {
    size = List.copyOf(size);
    local = local.map(List::copyOf);
    offset = List.copyOf(offset);
  }

  /** Whether the job file leaves the work-group to the driver. */
  public boolean isAnyLocal() {
    return local.isPresent() && local.get().isEmpty();
  }
}
