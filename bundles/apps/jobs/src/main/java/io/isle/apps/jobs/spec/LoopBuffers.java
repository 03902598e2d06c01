package io.isle.apps.jobs.spec;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a loop says of its buffers by name. */
final class LoopBuffers {
  static final int MAX_SWAPS = 16;

  private final Parameters parameters;
  private final Buffers buffers;

  /**
   * Of a step with a loop.
   *
   * @param buffers with those that only the loop has
   */
  LoopBuffers(Parameters parameters, Buffers buffers) {
    this.parameters = parameters;
    this.buffers = buffers;
  }

  /** One pair of names, or a list of pairs. */
  List<Loop.Swap> swaps(Located at) {
    List<Located> items = at.sequence(MAX_SWAPS);
    boolean pairs = !items.isEmpty() && !items.getFirst().isScalar();
    return pairs ? items.stream().map(this::swap).toList() : List.of(swap(at));
  }

  private Loop.Swap swap(Located at) {
    List<Located> pair = at.sequence(MAX_SWAPS);
    if (pair.size() != 2) {
      throw at.error("must be two names of buffers, such as [a, b], or a list of such pairs");
    }
    String a = buffer(pair.getFirst());
    String b = buffer(pair.getLast());
    if (a.equals(b)) {
      throw at.error("names the same buffer twice");
    }
    return new Loop.Swap(a, b, at);
  }

  /** The name of a buffer. */
  String buffer(Located at) {
    String name = parameters.text(at);
    if (!buffers.names().contains(name)) {
      throw at.error(
          "'"
              + name
              + "' is not a buffer of the step; the buffers are "
              + String.join(", ", buffers.names()));
    }
    return name;
  }

  /** A buffer that nothing uses is a mistake. */
  void checkUsed(Loop loop) {
    Set<String> used = new HashSet<>();
    for (Loop.Call call : loop.calls()) {
      for (StepProgram program : call.programs()) {
        for (Arg arg : program.args()) {
          switch (arg) {
            case Arg.Plain plain -> used.add(plain.text());
            case Arg.Raw raw -> used.add(raw.buffer());
            case Arg.Typed _, Arg.Local _ -> {}
          }
        }
      }
    }
    buffers.inputs().forEach(input -> checkUsed(used, input.name(), input.where()));
    buffers.outputs().forEach(output -> checkUsed(used, output.name(), output.where()));
  }

  private static void checkUsed(Set<String> used, String name, Located where) {
    if (!used.contains(name)) {
      throw where.error("no inner step uses this buffer");
    }
  }
}
