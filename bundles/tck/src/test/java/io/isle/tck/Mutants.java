package io.isle.tck;

import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DriverException;
import io.isle.tck.World.Sent;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Ways to break one rule of a driver each, by the case that is to find out. */
final class Mutants {
  /** Changes the arguments of a call. */
  interface Change {
    void of(Object[] args, World world);
  }

  private final Map<String, Supplier<Hook>> all = new LinkedHashMap<>();

  static Map<String, Supplier<Hook>> all() {
    Mutants mutants = new Mutants();
    LifeCycleMutants.add(mutants);
    ContextMutants.add(mutants);
    MemoryMutants.add(mutants);
    CompletionMutants.add(mutants);
    EnvelopeMutants.add(mutants);
    ProgramMutants.add(mutants);
    SourceMutants.add(mutants);
    FileMutants.add(mutants);
    LaunchMutants.add(mutants);
    ReportMutants.add(mutants);
    FaultMutants.add(mutants);
    PreemptionMutants.add(mutants);
    ResumeMutants.add(mutants);
    FenceMutants.add(mutants);
    PowerMutants.add(mutants);
    PageMutants.add(mutants);
    DisplayMutants.add(mutants);
    HpuMutants.add(mutants);
    return mutants.all;
  }

  /** A mutant with a state of its own for each driver. */
  void add(String name, Supplier<Hook> hook) {
    if (all.put(name, hook) != null) {
      throw new IllegalStateException(name + " has two mutants");
    }
  }

  /** One call is answered by {@code hook}; all others pass. */
  void on(String name, String call, Hook hook) {
    add(
        name,
        () ->
            (what, args, real, world) ->
                what.equals(call) ? hook.on(what, args, real, world) : real.call(args));
  }

  /** One call has other arguments. */
  void arguments(String name, String call, Change change) {
    on(
        name,
        call,
        (what, args, real, world) -> {
          Object[] changed = args.clone();
          change.of(changed, world);
          return real.call(changed);
        });
  }

  /** One call has another result. */
  <T> void result(String name, String call, UnaryOperator<T> change) {
    on(
        name,
        call,
        (what, args, real, world) -> {
          @SuppressWarnings("unchecked")
          T result = (T) real.call(args);
          return change.apply(result);
        });
  }

  /** A refusal with {@code code} becomes silence; code 0 stands for any. */
  void swallow(String name, String call, int code) {
    on(
        name,
        call,
        (what, args, real, world) -> {
          try {
            return real.call(args);
          } catch (DriverException e) {
            if (code == 0 || e.code() == code) {
              return null;
            }
            throw e;
          }
        });
  }

  /** A refusal with {@code from} gets the code {@code to}. */
  void code(String name, String call, Predicate<Object[]> when, int from, int to) {
    on(
        name,
        call,
        (what, args, real, world) -> {
          try {
            return real.call(args);
          } catch (DriverException e) {
            throw e.code() == from && when.test(args) ? new DriverException(to, e.getMessage()) : e;
          }
        });
  }

  /** Submissions of a kind end with SUCCESS, though they are refused or fail. */
  void forgive(String name, BiPredicate<Sent, World> kind) {
    add(
        name,
        () ->
            (what, args, real, world) -> {
              if (what.equals("AccelDevice.submit")) {
                Sent sent = world.sent.get((Long) args[1]);
                int code = (int) real.call(args);
                return code < 0 && kind.test(sent, world) ? world.succeed((Long) args[1]) : code;
              }
              if (what.equals("CompletionSink.complete")) {
                Sent sent = world.sent.get((Long) args[0]);
                if ((int) args[1] != CompletionSink.SUCCESS && kind.test(sent, world)) {
                  Object[] changed = args.clone();
                  changed[1] = CompletionSink.SUCCESS;
                  return real.call(changed);
                }
              }
              return real.call(args);
            });
  }

  /** Completions that come while {@code call} runs are lost. */
  void loseDuring(String name, String call) {
    add(
        name,
        () -> {
          Set<String> now = ConcurrentHashMap.newKeySet();
          return (what, args, real, world) -> {
            if (what.equals("CompletionSink.complete") && now.contains(call)) {
              return 0;
            }
            if (!what.equals(call)) {
              return real.call(args);
            }
            now.add(call);
            try {
              return real.call(args);
            } finally {
              now.remove(call);
            }
          };
        });
  }

  /** A byte is wrong in what binding {@code index} names, when a submission of a kind succeeds. */
  void spoil(String name, int index, long at, BiPredicate<Sent, World> kind) {
    on(
        name,
        "CompletionSink.complete",
        (what, args, real, world) -> {
          Sent sent = world.sent.get((Long) args[0]);
          if ((int) args[1] == CompletionSink.SUCCESS && kind.test(sent, world)) {
            long object = sent.wide(sent.binding(index, 0));
            var cpu = world.memory.get(object).cpu();
            byte now = cpu.get(ValueLayout.JAVA_BYTE, at);
            cpu.set(ValueLayout.JAVA_BYTE, at, (byte) (now ^ 1));
          }
          return real.call(args);
        });
  }

  /** Names of the programs that a submission binds. */
  static List<String> programs(Sent sent, World world) {
    return sent.objects().stream()
        .filter(world.programNames::containsKey)
        .map(world.programNames::get)
        .toList();
  }
}
