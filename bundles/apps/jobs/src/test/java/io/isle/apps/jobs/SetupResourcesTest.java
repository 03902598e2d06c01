package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.ExitStatus;
import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobException;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.SetupEvent;
import io.isle.api.jobs.SetupKind;
import io.isle.api.jobs.SetupResource;
import io.isle.apps.jobs.setup.UndoLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Resources of another bundle's kind that exist only for a job, and events on them. */
@Timeout(60)
class SetupResourcesTest {
  private static final String JOB =
      """
      job: kites
      setup:
        kites:
          red: {tail: 3}
          blue:
      steps:
        - {program: noop, repeat: faults}
      faults:
        - {kite: red, fault: tear}
        - {kite: blue, change: dye, colour: green}
      claims:
        - {name: only faults count, value: faults, goal: == 1}
        - {name: no device was killed, value: kill, goal: == 0}
      """;

  @TempDir Path folder;

  private final Harness harness = new Harness(1 << 20);
  private final Kites kites = new Kites();

  /** Makes kites of a file each. */
  private final class Kites implements SetupKind {
    final List<String> calls = new CopyOnWriteArrayList<>();
    volatile String refused = "";
    volatile CountDownLatch hangs = new CountDownLatch(0);

    @Override
    public String key() {
      return "kites";
    }

    @Override
    public String singular() {
      return "kite";
    }

    @Override
    public List<ActionParameter> parameters() {
      return List.of(ActionParameter.whole("tail", 1, 9).orElse("2"));
    }

    @Override
    public List<SetupEvent> events() {
      return List.of(
          new SetupEvent("tear", true, List.of()),
          new SetupEvent(
              "dye", false, List.of(ActionParameter.of("colour", ActionParameter.Kind.TEXT))));
    }

    @Override
    public Optional<ActionMistake> check(SetupResource resource) {
      return resource.name().equals("stone")
          ? Optional.of(new ActionMistake("tail", "a stone has none"))
          : Optional.empty();
    }

    @Override
    public Optional<ActionMistake> check(
        SetupResource resource, String event, ActionValues values) {
      return values.has("colour") && values.text("colour").equals("plaid")
          ? Optional.of(new ActionMistake("colour", "is out of fashion"))
          : Optional.empty();
    }

    @Override
    public Set<String> pids(SetupResource resource) {
      return Set.of("io.isle.kite-" + resource.name());
    }

    @Override
    public void make(SetupResource resource) {
      calls.add("make " + resource.name() + " " + resource.values().whole("tail"));
      harness.core.set("io.isle.kite-" + resource.name(), Map.of("tail", "1"));
      if (resource.name().equals(refused)) {
        throw JobException.failed(Errno.EBUSY, "no wind", null);
      }
    }

    @Override
    public void remove(SetupResource resource) {
      calls.add("remove " + resource.name());
      boolean ignored = harness.core.delete("io.isle.kite-" + resource.name());
    }

    @Override
    public void happen(SetupResource resource, String event, ActionValues values)
        throws InterruptedException {
      calls.add(event + " " + resource.name());
      hangs.await();
    }
  }

  @BeforeEach
  void add() {
    harness.kinds.add(kites);
  }

  private JobResult run(String job) throws IOException {
    return harness.asAdmin(Files.writeString(folder.resolve("job.yml"), job), Map.of());
  }

  private void assertUndone() throws IOException {
    assertEquals(Map.of(), harness.core.files);
    assertEquals(List.of("history.jsonl"), harness.names(harness.data));
  }

  @Test
  void areMadeUsedAndRemovedInReverse() throws Exception {
    JobResult result = run(JOB);
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(
        List.of("make red 3", "make blue 2", "tear red", "dye blue", "remove blue", "remove red"),
        kites.calls);
    assertUndone();
  }

  @Test
  void oneThatCannotBeMadeTakesTheOthersBack() throws Exception {
    kites.refused = "blue";
    JobResult result = run(JOB);
    assertTrue(result.error().contains("job.yml:5:"), result.error());
    assertTrue(result.error().contains("setup.kites.blue: no wind"), result.error());
    assertEquals(List.of("make red 3", "make blue 2", "remove blue", "remove red"), kites.calls);
    assertUndone();
  }

  @Test
  void oneThatExistsIsNotTouched() throws Exception {
    harness.core.set("io.isle.kite-blue", Map.of("tail", "7"));
    JobResult result = run(JOB);
    assertTrue(result.error().contains("kite blue: the settings"), result.error());
    assertEquals(List.of("make red 3", "remove red"), kites.calls);
    assertEquals(Map.of("io.isle.kite-blue", Map.of("tail", "7")), harness.core.files);
  }

  @Test
  void onlyAnAdminMay() throws Exception {
    Path job = Files.writeString(folder.resolve("job.yml"), JOB);
    JobException refused =
        assertThrows(JobException.class, () -> harness.run(job, folder.toAbsolutePath(), Map.of()));
    assertTrue(refused.getMessage().contains("only an admin"), refused.getMessage());
    assertEquals(List.of(), kites.calls);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {tail: 3}              | {tail: 0}                 | setup.kites.red.tail: must be a whole number
          {tail: 3}              | {tails: 3}                | setup.kites.red.tails: unknown key
          red:                   | stone:                    | setup.kites.stone.tail: a stone has none
          red:                   | a b:                      | setup.kites.a b: a name has
          kites:                 | gliders:                  | setup.gliders: unknown key; allowed here: devices, groups, settings, kites
          fault: tear            | fault: dye                | faults[0].fault: 'dye' is not one of tear
          change: dye            | change: tear              | faults[1].change: 'tear' is not one of dye
          change: dye,           |                           | faults[1]: needs 'kite' and 'fault', or 'change'
          kite: blue,            | kite: grey,               | faults[1].kite: 'grey': faults and changes act only on kites that 'setup' makes
          colour: green          | colour: plaid             | faults[1].colour: is out of fashion
          colour: green          | count: 2                  | faults[1].count: unknown key
          , colour: green        |                           | faults[1]: needs 'colour'
          fault: tear            | fault: tear, after: 1, after_ms: 2 | faults[0]: takes only one of
          """)
  void mistakesNameFileLineAndField(String good, String bad, String message) {
    String job = JOB.replaceFirst(java.util.regex.Pattern.quote(good), bad == null ? "" : bad);
    JobException refused = assertThrows(JobException.class, () -> run(job));
    assertEquals(ExitStatus.USAGE, refused.exitStatus());
    assertTrue(refused.getMessage().contains(message), refused.getMessage());
    assertTrue(refused.getMessage().contains("job.yml:"), refused.getMessage());
    assertEquals(List.of(), kites.calls);
  }

  @Test
  void aBundleThatStopsDuringAnEventFailsTheJobAndLeavesNothing() throws Exception {
    kites.hangs = new CountDownLatch(1);
    Path job = Files.writeString(folder.resolve("job.yml"), JOB);
    CompletableFuture<JobResult> ended =
        CompletableFuture.supplyAsync(() -> harness.asAdmin(job, Map.of()));
    Harness.until(() -> kites.calls.contains("tear red"));
    harness.kinds.remove(kites);
    JobResult result = ended.get();
    assertEquals(JobState.FAILED, result.state());
    assertTrue(result.error().contains("the bundle that provides 'kites'"), result.error());
    assertUndone();
  }

  /** The log of a platform that is killed in the middle names the files. */
  @Test
  void areRemovedAtTheNextStartWithoutTheirBundle() throws Exception {
    Path copy = Files.createDirectory(folder.resolve("copy"));
    FakeCore killed = new FakeCore();
    harness.core.onDelete =
        () -> {
          harness.core.onDelete = () -> {};
          harness.core.files.forEach((pid, values) -> killed.set(pid, values));
          try {
            for (String name : harness.names(harness.data)) {
              Files.copy(harness.data.resolve(name), copy.resolve(name));
            }
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        };
    assertEquals(JobState.DONE, run(JOB).state());
    assertTrue(killed.files.containsKey("io.isle.kite-red"), killed.files::toString);
    UndoLog.recover(copy, killed);
    assertEquals(Map.of(), killed.files);
    assertEquals(List.of("history.jsonl"), harness.names(copy));
  }
}
