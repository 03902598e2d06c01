package io.isle.apps.jobs.run.loop;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Loops of any form over a few names, up to four deep. */
final class LoopTrees {
  static final int NAMES = 4;
  static final int DEPTH = 4;

  private LoopTrees() {}

  static Arbitrary<LoopNode.Turns> any() {
    return loop(0);
  }

  /** The variable of a loop is that of its depth; bounds may use those around it. */
  private static Arbitrary<LoopNode.Turns> loop(int depth) {
    Arbitrary<LoopNode> run = Arbitraries.integers().between(0, 9).map(LoopNode.Run::new);
    Arbitrary<LoopNode> node =
        depth + 1 < DEPTH
            ? Arbitraries.oneOf(run, run, loop(depth + 1).map(LoopNode.class::cast))
            : run;
    Arbitrary<LoopNode.Swap> swap =
        Combinators.combine(name(), name()).as(LoopNode.Swap::new).filter(s -> s.a() != s.b());
    return Combinators.combine(
            bound(depth),
            bound(depth),
            Arbitraries.of(-3, -2, -1, 1, 2, 3),
            node.list().ofMaxSize(3),
            swap.list().ofMaxSize(2))
        .as(
            (from, to, by, nodes, swaps) ->
                new LoopNode.Turns(depth, from, to, variables -> by, nodes, swaps, -1));
  }

  private static Arbitrary<Integer> name() {
    return Arbitraries.integers().between(0, NAMES - 1);
  }

  private static Arbitrary<LoopNode.Whole> bound(int depth) {
    Arbitrary<LoopNode.Whole> number =
        Arbitraries.integers().between(-3, 3).map(value -> variables -> value);
    if (depth == 0) {
      return number;
    }
    Arbitrary<LoopNode.Whole> outer =
        Combinators.combine(
                Arbitraries.integers().between(0, depth - 1), Arbitraries.integers().between(-1, 1))
            .as((variable, plus) -> variables -> variables[variable] + plus);
    return Arbitraries.oneOf(number, outer);
  }

  /** What is to be seen at an event. */
  static String seen(Cursor cursor) {
    StringBuilder text = new StringBuilder();
    for (int name = 0; name < NAMES; name++) {
      text.append(cursor.buffer(name));
    }
    return switch (cursor.event()) {
      case RUN -> {
        text.append(" run ").append(cursor.step());
        for (int level = 0; level <= cursor.level(); level++) {
          text.append(' ').append(cursor.variables()[level]);
        }
        yield text.append(" after ").append(cursor.runs()).toString();
      }
      case TURN -> text + " turn " + cursor.done() + " of level " + cursor.level();
      case END -> text + " end";
    };
  }

  /** The same, as nested calls say it. */
  static final class Recursion {
    final List<String> seen = new ArrayList<>();
    private final long[] variables = new long[DEPTH];
    private final List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3));
    private final Leaving leaving;
    private long runs;
    private int turns;

    Recursion(LoopNode.Turns root, Leaving leaving) {
      this.leaving = leaving;
      loop(root, 0);
      seen.add(text() + " end");
    }

    private String text() {
      StringBuilder text = new StringBuilder();
      order.forEach(text::append);
      return text.toString();
    }

    private void loop(LoopNode.Turns loop, int depth) {
      long from = loop.from().at(variables);
      long to = loop.to().at(variables);
      long by = loop.by().at(variables);
      int done = 0;
      for (long value = from; by > 0 ? value < to : value > to; value += by) {
        variables[depth] = value;
        for (LoopNode node : loop.steps()) {
          if (node instanceof LoopNode.Run run) {
            StringBuilder line = new StringBuilder(text() + " run " + run.step());
            for (int level = 0; level <= depth; level++) {
              line.append(' ').append(variables[level]);
            }
            seen.add(line.append(" after ").append(runs++).toString());
          } else {
            loop((LoopNode.Turns) node, depth + 1);
          }
        }
        for (LoopNode.Swap swap : loop.swaps()) {
          java.util.Collections.swap(order, swap.a(), swap.b());
        }
        done++;
        seen.add(text() + " turn " + done + " of level " + depth);
        if (leaving.leaves(turns++)) {
          return;
        }
      }
    }
  }

  /** At the ends of which turns the loop is left, counted over all loops. */
  @FunctionalInterface
  interface Leaving {
    boolean leaves(int turn);
  }
}
