package io.isle.apps.jobs.run;

import io.isle.apps.jobs.kernel.Invocation;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The names of a loop's buffers by number: those of the step, then those that only the loop has;
 * and which of them change places. Immutable.
 */
final class LoopNames {
  private final List<String> names;

  /** Those that change places have the same number, which is one of theirs. */
  private final int[] groups;

  private final boolean[] swapped;

  LoopNames(Buffers buffers, Loop loop) {
    List<String> all = new ArrayList<>(buffers.names());
    loop.temps().forEach(temp -> all.add(temp.name()));
    names = List.copyOf(all);
    groups = IntStream.range(0, names.size()).toArray();
    swapped = new boolean[names.size()];
    join(loop.turns());
  }

  private void join(Loop.Turns turns) {
    for (Loop.Swap swap : turns.swaps()) {
      int from = groups[number(swap.a())];
      int to = groups[number(swap.b())];
      swapped[number(swap.a())] = true;
      swapped[number(swap.b())] = true;
      for (int name = 0; name < groups.length; name++) {
        groups[name] = groups[name] == from ? to : groups[name];
      }
    }
    for (Loop.Inner inner : turns.steps()) {
      if (inner instanceof Loop.Turns nested) {
        join(nested);
      }
    }
  }

  List<String> all() {
    return names;
  }

  int count() {
    return names.size();
  }

  int number(String name) {
    return names.indexOf(name);
  }

  /** The buffers, by the number of their first name, that a name may stand for. */
  List<Integer> buffers(int name) {
    return IntStream.range(0, groups.length)
        .filter(other -> groups[other] == groups[name])
        .boxed()
        .toList();
  }

  /** The buffers that turns may write, with all that change places with them. */
  boolean[] written(List<Invocation> calls) {
    boolean[] byGroup = new boolean[names.size()];
    for (int name = 0; name < names.size(); name++) {
      int number = name;
      byGroup[groups[name]] |=
          swapped[name] || calls.stream().anyMatch(call -> call.arguments().mayWrite(number));
    }
    boolean[] written = new boolean[names.size()];
    for (int name = 0; name < names.size(); name++) {
      written[name] = byGroup[groups[name]];
    }
    return written;
  }
}
