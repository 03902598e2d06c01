package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import io.isle.api.base.Errno;
import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.formula.Rational;
import io.isle.apps.jobs.kernel.Extents;
import io.isle.apps.jobs.kernel.Invocation;
import io.isle.apps.jobs.run.loop.Cursor;
import io.isle.apps.jobs.run.loop.LoopNode;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.Loop;
import io.isle.apps.jobs.spec.StepProgram;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns the names of a step's loop into numbers: of buffers, of inner steps, and of variables, each
 * of which has the number of its depth. Used by the stream's thread, once.
 */
final class LoopResolver {
  /** Bytes of an envelope before its bindings, and of one of these. */
  private static final int HEADER = 64;

  private static final int BINDING = 32;

  private final StepRun run;
  private final Loop loop;
  private final Extents extents;
  private final LoopNames names;
  private final List<Invocation> invocations = new ArrayList<>();
  private final List<LoopCall> calls = new ArrayList<>();
  private final List<LoopUntil> untils = new ArrayList<>();
  private final List<LoopProgram.Window> windows = new ArrayList<>();
  private List<Part> parts;
  private int depth;

  /**
   * Loads the programs of all inner steps.
   *
   * @param extents of the step; those of outputs are known later
   * @throws io.isle.api.jobs.JobException naming an argument that does not fit its program
   */
  LoopResolver(StepRun run, Loop loop, Extents extents) throws InterruptedException {
    this.run = run;
    this.loop = loop;
    this.extents = extents;
    names = new LoopNames(run.step().buffers(), loop);
    for (Loop.Call call : loop.calls()) {
      StepProgram program = call.programs().getFirst();
      invocations.add(run.load(program, loaded -> Invocation.inner(program, loaded, names.all())));
    }
    run.step().buffers().outputs().forEach(this::checkWritten);
  }

  /** An output that no turn can write would be zeros, whatever the kernels compute. */
  private void checkWritten(Buffers.Output output) {
    List<Integer> held = names.buffers(names.number(output.name()));
    if (held.stream().noneMatch(this::hasContents)) {
      throw output
          .where()
          .failure(
              Errno.EINVAL,
              "no inner step can write this output, because the kernels' arguments are const; list"
                  + " all arguments under 'args' in the order of each kernel, or give the output an"
                  + " 'initial'");
    }
  }

  /** Whether a buffer begins with contents of its own, or an inner step may write it. */
  private boolean hasContents(int buffer) {
    Buffers buffers = run.step().buffers();
    String name = names.all().get(buffer);
    return buffers.input(name).isPresent()
        || buffers.output(name).flatMap(Buffers.Output::initial).isPresent()
        || invocations.stream().anyMatch(call -> call.arguments().mayWrite(buffer));
  }

  /** How the step's buffers are held. */
  WholeParts.Rules rules() {
    boolean[] written = names.written(invocations);
    return new WholeParts.Rules(number -> written[number], true, true, loop.temps());
  }

  /**
   * The loop, ready to run.
   *
   * @param all the buffers, in the order of their numbers
   * @param arena takes checkpoints
   * @throws io.isle.api.jobs.JobException naming what does not fit
   */
  LoopWork work(List<Part> all, Arena arena) throws InterruptedException {
    parts = List.copyOf(all);
    invocations.forEach(call -> call.arguments().checkTypes(names.all(), extents.types()));
    LoopNode.Turns root = turns(loop.turns(), Map.of());
    LoopProgram program =
        new LoopProgram(root, names.count(), depth, calls, untils, windows, loop.checkpoint());
    LoopMemory memory = new LoopMemory(run, parts, names.written(invocations), arena);
    return new LoopWork(run, program, memory, room());
  }

  /** Bytes of an envelope for operations. */
  private long room() throws InterruptedException {
    long programs = calls.stream().map(LoopCall::source).distinct().count();
    long bindings = names.count() + windows.size() + programs;
    if (bindings > CommandWriter.MAX_USES) {
      throw run.step()
          .where()
          .failure(
              Errno.EINVAL,
              "binds "
                  + names.count()
                  + " buffers, "
                  + programs
                  + " programs and "
                  + windows.size()
                  + " elements of 'until'; a submission has at most "
                  + CommandWriter.MAX_USES
                  + " bindings");
    }
    long room = run.stream().commandBytes() - HEADER - BINDING * bindings;
    long longest = calls.stream().mapToLong(LoopCall::bytes).max().orElse(0);
    if (longest > room) {
      throw run.step()
          .where()
          .failure(
              Errno.EMSGSIZE,
              "an inner step needs "
                  + longest
                  + " bytes of a submission; on this device, "
                  + room
                  + " bytes are left");
    }
    return room;
  }

  private LoopNode.Turns turns(Loop.Turns turns, Map<String, Integer> around) {
    int number = around.size();
    Map<String, Integer> inside = new LinkedHashMap<>(around);
    // a loop without a variable has a number, too: that of its depth
    inside.put(turns.variable().orElse("/" + number), number);
    depth = Math.max(depth, inside.size());
    List<LoopNode> steps = new ArrayList<>();
    for (Loop.Inner inner : turns.steps()) {
      steps.add(
          switch (inner) {
            case Loop.Call call -> call(call.programs().getFirst(), inside);
            case Loop.Turns nested -> turns(nested, inside);
          });
    }
    int until = turns.until().isPresent() ? until(turns.until().get()) : -1;
    return new LoopNode.Turns(
        turns.variable().isPresent() ? number : -1,
        whole(turns.from(), around),
        whole(turns.to(), around),
        by(turns.by(), around),
        steps,
        turns.swaps().stream().map(this::swap).toList(),
        until);
  }

  /** Calls come in the order of the file, as their invocations. */
  private LoopNode.Run call(StepProgram program, Map<String, Integer> variables) {
    Map<String, Integer> used = new HashMap<>(variables);
    used.keySet().retainAll(program.formulaNames());
    calls.add(
        new LoopDispatch(
            run.env().programs().source(program.code()),
            invocations.get(calls.size()),
            extents,
            used,
            names.count()));
    return new LoopNode.Run(calls.size() - 1);
  }

  private LoopNode.Whole whole(Buffers.Formula formula, Map<String, Integer> around) {
    Map<String, Integer> used = new HashMap<>(around);
    used.keySet().retainAll(formula.value().names());
    if (used.isEmpty()) {
      long value = extents.whole(formula, -Cursor.MOST, Cursor.MOST);
      return variables -> value;
    }
    return variables -> {
      Map<String, Rational> numbers = new HashMap<>();
      used.forEach((name, number) -> numbers.put(name, Rational.of(variables[number])));
      return extents.with(numbers).whole(formula, -Cursor.MOST, Cursor.MOST);
    };
  }

  private LoopNode.Whole by(Buffers.Formula formula, Map<String, Integer> around) {
    LoopNode.Whole by = whole(formula, around);
    LoopNode.Whole checked =
        variables -> {
          long value = by.at(variables);
          if (value == 0) {
            throw formula
                .where()
                .failure(Errno.EINVAL, formula.text() + " is 0; the loop would not end");
          }
          return value;
        };
    if (around.keySet().stream().noneMatch(formula.value().names()::contains)) {
      long ignored = checked.at(new long[0]);
    }
    return checked;
  }

  private LoopNode.Swap swap(Loop.Swap swap) {
    Part a = part(swap.a());
    Part b = part(swap.b());
    if (a.type() != b.type() || !a.shape().equals(b.shape())) {
      throw swap.where()
          .failure(
              Errno.EINVAL,
              "exchanges buffers of different kinds: "
                  + shown(a)
                  + " and "
                  + shown(b)
                  + "; both must have the same type and shape");
    }
    return new LoopNode.Swap(names.number(swap.a()), names.number(swap.b()));
  }

  private Part part(String name) {
    return parts.get(names.number(name));
  }

  private static String shown(Part part) {
    return part.name() + " is " + part.type().text() + " " + Dims.show(part.shape());
  }

  private int until(Loop.Until until) {
    Part part = part(until.buffer());
    long index = extents.whole(until.index(), 0, Dims.elements(part.shape()) - 1);
    Rational goal = extents.exact(until.goal());
    int name = names.number(until.buffer());
    LoopUntil resolved =
        new LoopUntil(
            name, index, part.type(), LoopGoal.of(until.comparison(), goal), until.check());
    untils.add(resolved);
    for (int buffer : names.buffers(name)) {
      windows.add(new LoopProgram.Window(buffer, resolved.offset(), part.type().bytes()));
    }
    return untils.size() - 1;
  }
}
