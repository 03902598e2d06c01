package io.isle.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.drivers.sim.SimDriver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
  /** What other cases ask has nothing to do with the display. */
  private static final List<Case> DISPLAY =
      Cases.all().stream().filter(what -> isDisplay(what.name())).toList();

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
                            isDisplay(mutant.getKey())
                                ? failed(
                                    DISPLAY,
                                    () -> new MutantSubject(display(), mutant.getValue().get()))
                                : failed(
                                    () ->
                                        new JavaSubject(
                                            new MutantDriver(mutant.getValue().get()))))));
  }

  @Test
  void theDisplayThatTheMutantsBreakPasses() {
    for (Case what : DISPLAY) {
      Result result = RUNNER.run(MutantsTest::display, what);
      assertEquals(Result.Outcome.OK, result.outcome(), result::line);
    }
  }

  private static boolean isDisplay(String name) {
    return name.startsWith("display/");
  }

  /** The display in software, in this process. */
  private static Subject display() {
    Path library = Path.of(System.getProperty("isle.native"), "libtestdisplay.so");
    try {
      return Subjects.in(library, library.getParent()).get("tier 1").get();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> failed(Supplier<Subject> subject) {
    return failed(Cases.all(), subject);
  }

  private static List<String> failed(List<Case> cases, Supplier<Subject> subject) {
    return cases.stream()
        .map(what -> RUNNER.run(subject, what))
        .filter(result -> result.outcome() == Result.Outcome.FAILED)
        .map(Result::name)
        .toList();
  }
}
