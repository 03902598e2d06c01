package io.isle.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.drivers.sim.SimDriver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each case finds a driver that breaks its rule, and no other case does. */
class MutantsTest {
  /** Areas that other cases have nothing to do with, and the drivers in C that have them. */
  private static final Map<String, String> NATIVE =
      Map.of("display/", "libtestdisplay.so", "resume/", "libsoftaccel.so", "hpu/", "libspin.so");

  /** The only tier of handlers. */
  private static final Map<String, String> TIERS = Map.of("hpu/", "tier 2");

  /** Cases that look at all threads of this process, and so at those of other cases. */
  private static final Set<String> ALONE = Set.of("life/close-joins-threads");

  /** Mutants at one time; most of a case is waiting. */
  private static final int WORKERS = 8;

  private static final Runner RUNNER = new Runner(Duration.ofSeconds(15));

  @Test
  void everyCaseHasOneMutant() {
    Set<String> names = Cases.all().stream().map(Case::name).collect(Collectors.toSet());
    assertEquals(names.size(), Cases.all().size(), "a name is given twice");
    assertEquals(new TreeSet<>(names), new TreeSet<>(Mutants.all().keySet()));
  }

  @Test
  void theDriverThatTheMutantsBreakPasses() {
    assertEquals(List.of(), failed(inJava(), () -> new JavaSubject(new SimDriver())));
  }

  @TestFactory
  Stream<DynamicTest> exactlyItsCaseFindsAMutant() {
    Map<String, Future<List<String>>> together = runTogether();
    return Mutants.all().entrySet().stream()
        .map(
            mutant ->
                DynamicTest.dynamicTest(
                    mutant.getKey(),
                    () -> {
                      area(mutant.getKey()).ifPresent(MutantsTest::assumeAble);
                      List<String> failed =
                          area(mutant.getKey())
                              .map(area -> failedNative(area, mutant.getValue()))
                              .orElseGet(() -> failedJava(MutantsTest::isAlone, mutant.getValue()));
                      if (together.containsKey(mutant.getKey())) {
                        failed.addAll(together.get(mutant.getKey()).get());
                      }
                      assertEquals(List.of(mutant.getKey()), failed);
                    }));
  }

  /** Of each mutant in Java, what fails of the cases that can run beside those of other mutants. */
  private static Map<String, Future<List<String>>> runTogether() {
    Map<String, Future<List<String>>> failed = new HashMap<>();
    try (ExecutorService workers = Executors.newFixedThreadPool(WORKERS)) {
      Mutants.all()
          .forEach(
              (name, mutant) -> {
                if (area(name).isEmpty()) {
                  failed.put(
                      name, workers.submit(() -> failedJava(what -> !isAlone(what), mutant)));
                }
              });
    }
    return failed;
  }

  static Set<String> areas() {
    return NATIVE.keySet();
  }

  @ParameterizedTest
  @MethodSource("areas")
  void theDriversInCThatTheMutantsBreakPass(String area) {
    assumeAble(area);
    for (Case what : cases(area)) {
      Result result = RUNNER.run(() -> subject(area), what);
      assertEquals(Result.Outcome.OK, result.outcome(), result::line);
    }
  }

  private static void assumeAble(String area) {
    if (area.equals("hpu/")) {
      SpinProcessor.assumed();
    }
  }

  private static Optional<String> area(String name) {
    return NATIVE.keySet().stream().filter(name::startsWith).findAny();
  }

  private static List<Case> cases(String area) {
    return Cases.all().stream().filter(what -> what.name().startsWith(area)).toList();
  }

  /** In this process, where it can. */
  private static Subject subject(String area) {
    Path library = Path.of(System.getProperty("isle.native"), NATIVE.get(area));
    try {
      return Subjects.in(library, library.getParent())
          .get(TIERS.getOrDefault(area, "tier 1"))
          .get();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> failedNative(String area, Supplier<Hook> mutant) {
    return failed(cases(area), () -> new MutantSubject(subject(area), mutant.get()));
  }

  private static boolean isAlone(Case what) {
    return ALONE.contains(what.name());
  }

  private static List<Case> inJava() {
    return Cases.all().stream().filter(what -> area(what.name()).isEmpty()).toList();
  }

  private static List<String> failedJava(Predicate<Case> which, Supplier<Hook> mutant) {
    return failed(
        inJava().stream().filter(which).toList(),
        () -> new JavaSubject(new MutantDriver(mutant.get())));
  }

  private static List<String> failed(List<Case> cases, Supplier<Subject> subject) {
    return cases.stream()
        .map(what -> RUNNER.run(subject, what))
        .filter(result -> result.outcome() == Result.Outcome.FAILED)
        .map(Result::name)
        .collect(Collectors.toCollection(ArrayList::new));
  }
}
