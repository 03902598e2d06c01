package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.core.accel.estimate.SubmissionFeatures;
import io.isle.core.testing.FakeDeciders;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a model is asked about a submission, what its answer leads to, and what it is told. */
@Timeout(60)
class EstimatesTest {
  private static final int DEPTH = 8;

  private final Fixture fixture = new Fixture();
  private final FakeDeciders deciders = new FakeDeciders((features, out) -> out[0] = 16 * 14);
  private final Context context = context("asker");
  private final Buffer buffer = context.allocate(4096, 0);
  private final Program sum = context.load(new ProgramSource.Builtin("sum"));

  @AfterEach
  void close() {
    fixture.close();
  }

  private Context context(String name) {
    return fixture.context(
        ContextSpec.named(name).withQueue(DEPTH, 512).withMaxExecutionUs(2_000_000));
  }

  private void bind() {
    fixture.core.services().submissionTime().bind(deciders);
  }

  private FakeDeciders.Opened decider() {
    return deciders.opened.getFirst();
  }

  private long submit() {
    CommandWriter writer = context.writer();
    int use = writer.use(buffer, 0, 1024, Buffer.READ | Buffer.WRITE);
    writer.fill(use, 0, 256, 7);
    writer.dispatch(sum, 0, 16, 2, 2).arg(use).argU64(1 << 20).arg(use);
    long point = context.submit(writer);
    assertTrue(point > 0, writer::mistake);
    return point;
  }

  private void end(int status, long busyNs) throws InterruptedException {
    ScriptedDevice.Submission running = fixture.device.awaitRunning(1).get(0);
    assertEquals(0, fixture.device.complete(running, status, 0, busyNs));
  }

  private void run(long busyNs) throws InterruptedException {
    long point = submit();
    end(CompletionSink.SUCCESS, busyNs);
    assertEquals(0, context.await(point, -1));
  }

  @Test
  void aModelSeesWhatTheSubmissionIs() throws InterruptedException {
    bind();
    assertEquals("default", decider().group);
    assertEquals(DEPTH, decider().outstanding);
    run(5);
    List<Integer> seen = decider().decisions.getFirst().features();
    assertEquals(SubmissionFeatures.COUNT, seen.size());
    assertNotEquals(0, seen.get(SubmissionFeatures.PROGRAM));
    int deviceClass = fixture.device.info().deviceClass().code();
    assertEquals(deviceClass, seen.get(SubmissionFeatures.DEVICE_CLASS));
    assertEquals(fixture.device.info().computeUnits(), seen.get(SubmissionFeatures.UNITS));
    assertEquals(2, seen.get(SubmissionFeatures.OPERATIONS));
    assertEquals(1, seen.get(SubmissionFeatures.IN_FLIGHT));
    assertEquals(16 * 10, seen.get(SubmissionFeatures.BYTES));
    assertEquals(16 * 6, seen.get(SubmissionFeatures.ITEMS));
    assertEquals(16 * 20, seen.get(SubmissionFeatures.SCALARS));
    assertEquals(16 * 8, seen.get(SubmissionFeatures.COPIED));
    // nothing has ended: a millisecond
    assertEquals(319, seen.get(SubmissionFeatures.LAST));
    assertEquals(319, seen.get(SubmissionFeatures.MEAN));
    assertEquals(319, seen.get(SubmissionFeatures.SAME));
  }

  @Test
  void theSameProgramIsTheSameNumberAndAnotherIsNot() throws InterruptedException {
    bind();
    run(5);
    Program again = context.load(new ProgramSource.Builtin("sum"));
    Program source = context.load(new ProgramSource.OpenClC("kernel void sum() {}", ""));
    for (Program program : List.of(again, source)) {
      CommandWriter writer = context.writer();
      int use = writer.use(buffer, 0, 1024, Buffer.READ | Buffer.WRITE);
      long point = context.submit(writer.dispatch(program, 0, 1, 1, 1).arg(use).argU64(1).arg(use));
      end(CompletionSink.SUCCESS, 5);
      assertEquals(0, context.await(point, -1));
    }
    List<Integer> programs =
        decider().decisions.stream()
            .map(decision -> decision.features().get(SubmissionFeatures.PROGRAM))
            .toList();
    assertEquals(programs.get(0), programs.get(1));
    assertNotEquals(programs.get(0), programs.get(2));
  }

  @Test
  void theAnswerIsChargedInAdvance() throws InterruptedException {
    bind();
    long point = submit();
    ScriptedDevice.Submission running = fixture.device.awaitRunning(1).get(0);
    assertEquals(1 << 14, context.info().estimate().estimateNs());
    assertEquals(0, fixture.device.complete(running, CompletionSink.SUCCESS, 0, 5));
    assertEquals(0, context.await(point, -1));
    assertEquals(1, context.info().estimate().answered());
  }

  @Test
  void anAnswerIsKeptWithinTheExecutionLimit() throws InterruptedException {
    deciders.setModel((features, out) -> out[0] = 640);
    bind();
    long point = submit();
    ScriptedDevice.Submission running = fixture.device.awaitRunning(1).get(0);
    assertEquals(2_000_000_000, context.info().estimate().estimateNs());
    assertEquals(0, fixture.device.complete(running, CompletionSink.SUCCESS, 0, 5));
    assertEquals(0, context.await(point, -1));
  }

  @Test
  void onlyWorkThatEndedWellIsAnOutcome() throws InterruptedException {
    bind();
    long point = submit();
    end(CompletionSink.ERROR, 5);
    assertEquals(-Errno.EIO, context.await(point, -1));
    assertTrue(decider().outcomes.isEmpty());
    assertEquals(0, context.info().estimate().ended());
    run(1 << 10);
    assertEquals(1, decider().outcomes.size());
    FakeDeciders.Outcome outcome = decider().outcomes.getFirst();
    assertEquals(decider().decisions.getLast().ticket(), outcome.ticket());
    // charged is at most what it was there
    assertTrue(outcome.actual().getFirst() <= 16 * 10);
  }

  @Test
  void withoutAModelNothingIsAskedAndTheAverageIsCharged() throws InterruptedException {
    deciders.setModel(null);
    bind();
    run(5);
    assertTrue(decider().decisions.isEmpty());
    assertEquals(0, context.info().estimate().answered());
    assertEquals(1, context.info().estimate().ended());
    deciders.setModel((features, out) -> out[0] = 160);
    run(5);
    assertEquals(1, decider().decisions.size());
    fixture.core.services().submissionTime().unbind();
    run(5);
    assertEquals(1, decider().decisions.size());
    assertEquals(3, context.info().estimate().ended());
  }

  @Test
  void whatIsRefusedIsNotAsked() {
    bind();
    assertEquals(-Errno.EINVAL, context.submit(context.writer().arg(3)));
    assertTrue(decider().decisions.isEmpty());
  }

  @Test
  void theDeciderOfAContextEndsWithIt() {
    bind();
    Context second = context("second");
    assertEquals(2, deciders.opened.size());
    second.close();
    assertFalse(deciders.opened.get(0).isClosed());
    assertTrue(deciders.opened.get(1).isClosed());
  }
}
