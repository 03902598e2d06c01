package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.ExitStatus;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.tenancy.GroupSpec;
import io.isle.apps.jobs.setup.UndoLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups that exist only for a job. */
class SetupGroupsTest {
  private static final String JOB =
      """
      job: groups
      params:
        share: {type: int, default: 70}
      setup:
        groups:
          team:
            compute.weight: 200
          part:
            parent: team
            compute.guarantee: fake0 ${share * 10000}
      streams:
        - group: part
          steps:
            - {program: noop, barrier: go}
      claims:
        - {name: promised, value: group.part.promised, goal: "== ${share}"}
      """;

  @TempDir Path folder;

  private final Harness harness = new Harness(1 << 20);

  private JobResult run(String job, Map<String, String> parameters) throws IOException {
    return harness.asAdmin(Files.writeString(folder.resolve("job.yml"), job), parameters);
  }

  private void assertUndone() throws IOException {
    assertEquals(Map.of(), harness.core.files);
    assertEquals(List.of(), harness.groups.list());
    assertEquals(List.of("history.jsonl"), harness.names(harness.data));
  }

  @Test
  void areMadeInOrderAndUndoneInReverse() throws Exception {
    JobResult result = run(JOB, Map.of("share", "30"));
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(
        List.of("create team", "create part", "delete part", "delete team"), harness.groups.calls);
    assertEquals(30, result.measured().groups().getFirst().promised());
    assertUndone();
  }

  @Test
  void areUndoneWhenTheJobFailsOrIsRefused() throws Exception {
    assertEquals(
        ExitStatus.FAILED, run(JOB.replace("goal: \"== ", "goal: \"< "), Map.of()).exitStatus());
    assertUndone();
    assertEquals(JobState.FAILED, run(JOB.replace("noop", "unknown"), Map.of()).state());
    assertUndone();
    harness.groups.calls.clear();
    JobResult refused =
        run(
            JOB.replace("parent: team", "{parent: team, compute.weight: 10001}")
                .replaceFirst("(?m)^ +compute.guarantee.*\n", ""),
            Map.of());
    assertTrue(
        refused.error().contains("setup.groups.part: compute.weight: 10001 is not in 1..10000"),
        refused.error());
    assertTrue(refused.error().contains("job.yml:9:"), refused.error());
    assertEquals(1, refused.exitStatus());
    assertEquals(List.of("create team", "create part", "delete team"), harness.groups.calls);
    assertUndone();
  }

  /** The wait ends, the group is made nevertheless, and goes. */
  @Test
  void anInterruptWhileOneIsMadeCancelsTheJob() throws Exception {
    harness.groups.interrupts = "part";
    JobResult result = run(JOB, Map.of());
    assertEquals(JobState.CANCELLED, result.state(), result.error());
    assertEquals(
        List.of("create team", "create part", "delete part", "delete team"), harness.groups.calls);
    assertUndone();
  }

  @Test
  void oneThatIsThereIsNotTouched() throws Exception {
    harness.groups.create(GroupSpec.of("part", Map.of()));
    JobResult result = run(JOB, Map.of());
    assertTrue(result.error().contains("the group part exists already"), result.error());
    assertEquals(1, harness.groups.list().size());
  }

  @Test
  void withoutTheServiceTheErrorNamesItAndTheField() throws Exception {
    harness.groupsAreThere = false;
    JobResult result = run(JOB, Map.of());
    assertTrue(result.error().contains("setup.groups.team: the service Groups"), result.error());
    harness.groupsAreThere = true;
    assertUndone();
  }

  /** What a platform that is killed in the middle leaves is put back by the next one. */
  @Test
  void areRemovedAtTheNextStart() throws Exception {
    Path copy = Files.createDirectory(folder.resolve("copy"));
    FakeCore killed = new FakeCore();
    harness.onProgress = () -> {};
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
    assertEquals(JobState.DONE, run(JOB, Map.of()).state());
    assertTrue(killed.files.containsKey("io.isle.group-part"), killed.files::toString);
    UndoLog.recover(copy, killed);
    assertEquals(Map.of(), killed.files);
    assertEquals(List.of("history.jsonl"), harness.names(copy));
  }
}
