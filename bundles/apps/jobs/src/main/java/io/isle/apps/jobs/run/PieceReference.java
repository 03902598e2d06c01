package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.FormatException;
import io.isle.apps.jobs.data.HostArray;
import io.isle.apps.jobs.spec.Buffers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares each piece of an output with what a formula makes of the piece's inputs.
 *
 * @param inputs those that the formula names, by name
 */
record PieceReference(ElementCheck check, Buffers.Formula formula, Map<String, Cut> inputs) {
  /**
   * An input that goes through in pieces.
   *
   * @param row extents of a unit
   */
  record Cut(int lane, ElementType type, List<Long> row) {
    private HostArray of(Chunk chunk, Arena arena) throws InterruptedException {
      List<Long> shape = new ArrayList<>(List.of(chunk.units));
      shape.addAll(row);
      return new HostArray(type, shape, chunk.data(lane, arena));
    }
  }

  /** Compares a piece; pieces come in order. */
  void check(Chunk chunk, MemorySegment found) throws InterruptedException {
    try (Arena arena = Arena.ofConfined()) {
      Map<String, HostArray> arrays = new LinkedHashMap<>();
      for (Map.Entry<String, Cut> input : inputs.entrySet()) {
        arrays.put(input.getKey(), input.getValue().of(chunk, arena));
      }
      HostArray wanted = ElementFormula.compute(formula, arrays, arena);
      long elements = found.byteSize() / check.type().bytes();
      if (wanted.elements() != elements) {
        throw check.unfit(wanted.shape());
      }
      check.next(found, wanted.type(), wanted.bytes(), elements);
    } catch (FormatException e) {
      throw check.failure(Errno.EINVAL, e.getMessage());
    }
  }
}
