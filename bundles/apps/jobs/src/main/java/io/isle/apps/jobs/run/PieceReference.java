package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.FormatException;
import io.isle.apps.jobs.data.HostArray;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Compares each piece of an output with what a plain loop makes of the piece's inputs. */
final class PieceReference {
  private final ElementCheck check;
  private final ScalarReference reference;
  private final List<In> inputs;

  /** An input of the step, in pieces or the same for each. */
  sealed interface In {
    /**
     * In pieces.
     *
     * @param row extents of a unit
     */
    record Cut(int lane, ElementType type, List<Long> row) implements In {}

    /** The same for each. */
    record Whole(HostArray array) implements In {}
  }

  /**
   * @param inputs in the order of the file
   */
  PieceReference(ElementCheck check, ScalarReference reference, List<In> inputs) {
    this.check = check;
    this.reference = reference;
    this.inputs = List.copyOf(inputs);
  }

  /** Compares a piece; pieces come in order. */
  void check(Chunk chunk, MemorySegment found) throws InterruptedException {
    try (Arena arena = Arena.ofConfined()) {
      List<HostArray> arrays = new ArrayList<>();
      for (In input : inputs) {
        arrays.add(
            switch (input) {
              case In.Whole whole -> whole.array();
              case In.Cut cut -> piece(cut, chunk, arena);
            });
      }
      HostArray wanted = reference.compute(arrays, arena);
      long elements = found.byteSize() / check.type().bytes();
      if (wanted.elements() != elements) {
        throw check.unfit(wanted.shape());
      }
      check.next(found, wanted.type(), wanted.bytes(), elements);
    } catch (FormatException e) {
      throw check.failure(Errno.EINVAL, e.getMessage());
    }
  }

  private static HostArray piece(In.Cut cut, Chunk chunk, Arena arena) throws InterruptedException {
    List<Long> shape = new ArrayList<>(List.of(chunk.units));
    shape.addAll(cut.row());
    return new HostArray(cut.type(), shape, chunk.data(cut.lane(), arena));
  }
}
