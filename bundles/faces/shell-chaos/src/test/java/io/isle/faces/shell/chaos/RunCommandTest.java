package io.isle.faces.shell.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.ExitStatus;
import io.isle.api.chaos.Chaos;
import io.isle.api.chaos.ChaosException;
import io.isle.api.chaos.ChaosObserver;
import io.isle.api.chaos.ChaosReport;
import io.isle.api.chaos.ChaosRequest;
import io.isle.api.chaos.ChaosRequest.Plant;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final FakeChaos chaos = new FakeChaos();

  @Test
  void aRunThatPassesShowsWhatBecameOfTheWork() {
    execute(new RunCommand().of("7", "0.5", null), false);
    assertEquals(new ChaosRequest(7, 0.5, Set.of()), chaos.request);
    List<String> lines = out.toString(UTF_8).lines().toList();
    assertTrue(lines.contains("submissions      15"), lines::toString);
    assertTrue(lines.contains("hang             5 (wanted 5)"), lines::toString);
    assertTrue(
        lines.contains("recoveries       3, median 4.0 ms, p99 9.0 ms, failed 0"), lines::toString);
  }

  @Test
  void aRunThatFailsNamesTheProblemAndTheSeed() {
    chaos.problems = List.of("lost: point 9");
    ShellException e =
        assertThrows(
            ShellException.class, () -> execute(new RunCommand().of("7", "1", "lost,leak"), true));
    assertEquals(ExitStatus.FAILED, e.exitStatus());
    assertEquals("chaos: 1 problems with seed 7: lost: point 9", e.getMessage());
    assertEquals(Set.of(Plant.LOST, Plant.LEAK), chaos.request.plants());
    String json = out.toString(UTF_8);
    assertTrue(
        json.startsWith("{\"seed\":7,\"minutes\":1.0,\"steps\":70,\"submissions\":15,"), json);
    assertTrue(json.contains("\"faults\":{\"hang\":5}"), json);
    assertTrue(
        json.contains("\"leaks\":[{\"what\":\"threads x\",\"before\":1,\"after\":2}]"), json);
    assertTrue(json.contains("\"median_ns\":4000000"), json);
    assertTrue(json.contains("\"plants\":[\"lost\",\"leak\"]"), json);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anInterruptedRunShowsHowFarItCameAndIs130(boolean json) {
    chaos.complete = false;
    ChaosException e =
        assertThrows(
            ChaosException.class, () -> execute(new RunCommand().of("7", "1", null), json));
    assertEquals(ExitStatus.INTERRUPTED, e.exitStatus());
    String text = out.toString(UTF_8);
    for (String part :
        json
            ? List.of(
                "\"submissions\":15,", "\"leaks\":null,", "\"complete\":false,\"passed\":false")
            : List.of(
                "submissions      15\n", "hang             5\n", "leaks            not checked")) {
      assertTrue(text.contains(part), text);
    }
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "null, 1, null",
        "1, null, null",
        "x, 1, null",
        "1, x, null",
        "1, 0, null",
        "1, NaN, null",
        "1, 1e9, null",
        "1, 1, nothing",
        "1, 1, lost;leak"
      },
      nullValues = "null")
  void wrongUsageIsTwo(String seed, String minutes, String plant) {
    RuntimeException e =
        assertThrows(
            RuntimeException.class,
            () -> execute(new RunCommand().of(seed, minutes, plant), false));
    int status =
        e instanceof ShellException shell ? shell.exitStatus() : ((ChaosException) e).exitStatus();
    assertEquals(ExitStatus.USAGE, status);
    assertEquals("", out.toString(UTF_8));
  }

  private void execute(RunCommand command, boolean json) {
    command.execute(
        new Services() {
          @Override
          public <S, R> Optional<R> ifThere(Class<S> type, Function<S, R> use) {
            return Optional.of(use.apply(type.cast(chaos)));
          }
        },
        new Output(new PrintStream(out, true, UTF_8), json, 0));
  }

  private static final class FakeChaos implements Chaos {
    private ChaosRequest request;
    private List<String> problems = List.of();
    private boolean complete = true;

    @Override
    public ChaosReport run(ChaosRequest given, ChaosObserver observer) {
      request = given;
      return new ChaosReport(
          given.seed(),
          given.minutes(),
          70,
          new ChaosReport.Work(15, 9, 8, 1, 1, 1, 1, 1, 1, 2, 0, 0, 0, 0, 0),
          List.of(new ChaosReport.Fault("hang", 5, 5)),
          List.of(new ChaosReport.Leak("threads x", 1, 2)),
          new ChaosReport.Recoveries(3, 0, 4_000_000, 9_000_000),
          given.plants(),
          problems,
          complete);
    }
  }
}
