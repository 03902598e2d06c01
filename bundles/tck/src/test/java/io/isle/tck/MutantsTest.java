package io.isle.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.drivers.sim.SimDriver;
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
                            failed(
                                () ->
                                    new JavaSubject(new MutantDriver(mutant.getValue().get()))))));
  }

  private static List<String> failed(Supplier<Subject> subject) {
    return Cases.all().stream()
        .map(what -> RUNNER.run(subject, what))
        .filter(result -> result.outcome() == Result.Outcome.FAILED)
        .map(Result::name)
        .toList();
  }
}
