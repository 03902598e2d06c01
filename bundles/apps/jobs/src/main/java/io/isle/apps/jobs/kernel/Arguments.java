package io.isle.apps.jobs.kernel;

import io.isle.api.accel.Buffer;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.spec.StepProgram;
import java.util.List;
import java.util.Map;

/**
 * The arguments of a step, checked against the program's entry. Immutable.
 *
 * <p>Buffers are known by their index: of a step with one input, 0 is the input and 1 the result;
 * of a step with named buffers it is that of the name.
 */
public final class Arguments {
  private final List<Argument> arguments;

  private Arguments(List<Argument> arguments) {
    this.arguments = List.copyOf(arguments);
  }

  /**
   * Checks number, kinds and ranges.
   *
   * @param names of the buffers, in order; empty for a step with one input
   * @throws JobException naming the argument
   */
  public static Arguments of(StepProgram program, Kernel kernel, List<String> names) {
    boolean all = program.args().stream().anyMatch(arg -> Matching.isBuffer(arg, names));
    Arguments made = new Arguments(Matching.match(program, kernel, names, all));
    if (made.buffers() < names.size()) {
      throw Matching.unfit(
          program, "takes " + made.buffers() + " buffers; the step has " + names.size());
    }
    return made;
  }

  /**
   * As {@link #of}, of an inner step of a loop: it gives all arguments, of the buffers only those
   * that it uses.
   */
  public static Arguments inner(StepProgram program, Kernel kernel, List<String> names) {
    return new Arguments(Matching.match(program, kernel, names, true));
  }

  /** The numbers as bits, in order; for a step with one input, whose arguments are no formulas. */
  public long[] scalars() {
    return arguments.stream()
        .filter(Argument.OfNumber.class::isInstance)
        .mapToLong(argument -> ((Argument.OfNumber) argument).bits(Extents.none()))
        .toArray();
  }

  /** How many are buffers. */
  public int buffers() {
    return (int) arguments.stream().filter(Argument.OfBuffer.class::isInstance).count();
  }

  /** Whether the kernel may write a buffer, as far as its driver says. */
  public boolean writes(int buffer) {
    return arguments.stream()
        .anyMatch(
            argument ->
                argument instanceof Argument.OfBuffer of
                    && of.index() == buffer
                    && (of.access() & Buffer.WRITE) != 0);
  }

  /** Whether the program may write a buffer: also where nobody says whether it does. */
  public boolean mayWrite(int buffer) {
    return arguments.stream()
        .anyMatch(
            argument ->
                argument instanceof Argument.OfBuffer of
                    && of.index() == buffer
                    && (of.access() == 0 || (of.access() & Buffer.WRITE) != 0));
  }

  /**
   * Compares the elements of each buffer with what the kernel takes them to be.
   *
   * @param names of the buffers, in order
   * @param types by name
   * @throws JobException EINVAL naming the argument, and what to write
   */
  public void checkTypes(List<String> names, Map<String, ElementType> types) {
    for (Argument argument : arguments) {
      if (argument instanceof Argument.OfBuffer of) {
        String name = names.get(of.index());
        of.element().check(name, types.get(name));
      }
    }
  }

  /** All of them with the numbers that formulas have now. */
  List<Argument.Ready> ready(Extents extents) {
    return arguments.stream().map(argument -> argument.ready(extents)).toList();
  }
}
