package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.apps.jobs.formula.Rational;
import io.isle.apps.jobs.kernel.Dispatch;
import io.isle.apps.jobs.kernel.Extents;
import io.isle.apps.jobs.kernel.Invocation;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** An inner step of a loop: its numbers are computed anew only when a variable in them changes. */
final class LoopDispatch implements LoopCall {
  private final ProgramSource source;
  private final Invocation invocation;
  private final Extents extents;

  /** Variables of its formulas, by number. */
  private final Map<String, Integer> variables;

  private final boolean[] writes;
  private final long[] values;
  private Dispatch ready;

  /**
   * Computes it where no variable is needed.
   *
   * @param variables of its formulas, with their numbers
   * @param names number of the names of buffers
   * @throws io.isle.api.jobs.JobException naming a number that does not do
   */
  LoopDispatch(
      ProgramSource source,
      Invocation invocation,
      Extents extents,
      Map<String, Integer> variables,
      int names) {
    this.source = source;
    this.invocation = invocation;
    this.extents = extents;
    this.variables = Map.copyOf(variables);
    writes = new boolean[names];
    for (int name = 0; name < names; name++) {
      writes[name] = invocation.arguments().mayWrite(name);
    }
    values = new long[variables.values().stream().mapToInt(number -> number + 1).max().orElse(0)];
    if (values.length == 0) {
      ready = invocation.at(extents, 1);
    }
  }

  @Override
  public ProgramSource source() {
    return source;
  }

  @Override
  public long bytes() {
    return invocation.bytes();
  }

  @Override
  public boolean writes(int name) {
    return writes[name];
  }

  @Override
  public void write(CommandWriter writer, Program program, int[] uses, long[] now) {
    if (ready == null || changed(now)) {
      System.arraycopy(now, 0, values, 0, values.length);
      Map<String, Rational> numbers = new HashMap<>();
      variables.forEach((name, number) -> numbers.put(name, Rational.of(now[number])));
      ready = invocation.at(extents.with(numbers), 1);
    }
    ready.write(writer, program, uses);
  }

  private boolean changed(long[] now) {
    return !Arrays.equals(values, 0, values.length, now, 0, values.length);
  }
}
