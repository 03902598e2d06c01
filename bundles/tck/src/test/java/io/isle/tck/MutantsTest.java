package io.isle.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.drivers.sim.SimDriver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each case finds a driver that breaks its rule, and no other case does. */
class MutantsTest {
  /** Areas that other cases have nothing to do with, and the drivers in C that have them. */
  private static final Map<String, String> NATIVE =
      Map.of("display/", "libtestdisplay.so", "resume/", "libsoftaccel.so");

  private static final Runner RUNNER = new Runner(Duration.ofSeconds(15));

  @Test
  void everyCaseHasOneMutant() {
    Set<String> names = Cases.all().stream().map(Case::name).collect(Collectors.toSet());
    assertEquals(names.size(), Cases.all().size(), "a name is there twice");
    assertEquals(new TreeSet<>(names), new TreeSet<>(Mutants.all().keySet()));
  }

  @Test
  void theDriverThatTheMutantsBreakPasses() {
    assertEquals(List.of(), failed(() -> new JavaSubject(new SimDriver())));
  }

  @TestFactory
  Stream<DynamicTest> exactlyItsCaseFindsAMutant() {
    return Mutants.all().entrySet().stream()
        .map(
            mutant ->
                DynamicTest.dynamicTest(
                    mutant.getKey(),
                    () ->
                        assertEquals(
                            List.of(mutant.getKey()),
                            area(mutant.getKey())
                                .map(area -> failedNative(area, mutant.getValue()))
                                .orElseGet(
                                    () ->
                                        failed(
                                            () ->
                                                new JavaSubject(
                                                    new MutantDriver(mutant.getValue().get())))))));
  }

  @Test
  void theDriversInCThatTheMutantsBreakPass() {
    for (String area : NATIVE.keySet()) {
      for (Case what : cases(area)) {
        Result result = RUNNER.run(() -> subject(area), what);
        assertEquals(Result.Outcome.OK, result.outcome(), result::line);
      }
    }
  }

  private static Optional<String> area(String name) {
    return NATIVE.keySet().stream().filter(name::startsWith).findAny();
  }

  private static List<Case> cases(String area) {
    return Cases.all().stream().filter(what -> what.name().startsWith(area)).toList();
  }

  /** In this process. */
  private static Subject subject(String area) {
    Path library = Path.of(System.getProperty("isle.native"), NATIVE.get(area));
    try {
      return Subjects.in(library, library.getParent()).get("tier 1").get();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> failedNative(String area, Supplier<Hook> mutant) {
    return failed(cases(area), () -> new MutantSubject(subject(area), mutant.get()));
  }

  private static List<String> failed(Supplier<Subject> subject) {
    return failed(
        Cases.all().stream().filter(what -> area(what.name()).isEmpty()).toList(), subject);
  }

  private static List<String> failed(List<Case> cases, Supplier<Subject> subject) {
    return cases.stream()
        .map(what -> RUNNER.run(subject, what))
        .filter(result -> result.outcome() == Result.Outcome.FAILED)
        .map(Result::name)
        .toList();
  }
}
