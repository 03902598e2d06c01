package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelAdmin.WorkErrorInfo;
import io.isle.api.accel.CompletionStatus;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.WorkError;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.driver.CompletionSink;
import io.isle.api.observe.AuditEvent;
import io.isle.core.accel.audit.WorkErrorBook;
import io.isle.core.testing.RecordedAudit;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a driver says of work that it ends with an error reaches tenant, log, book and admin. */
@Timeout(60)
class WorkErrorsTest {
  private final Fixture fixture = new Fixture();
  private final BlockingQueue<AuditEvent> events = new LinkedBlockingQueue<>();
  private final Queue<long[]> asked = new ConcurrentLinkedQueue<>();
  private Context context;

  @BeforeEach
  void open() {
    fixture.audit =
        new RecordedAudit(
            event -> {
              if (event.action().equals("work.failed")) {
                events.add(event);
              }
            });
    ScriptedDevice device = new ScriptedDevice(fixture.attachment.completions());
    device.log =
        (from, to) -> {
          asked.add(new long[] {from, to});
          return Optional.of("no such op");
        };
    fixture.crash();
    fixture.recover(device);
    context = fixture.context(ContextSpec.named("test"));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private long ended(int status, int detail, long startNs) throws InterruptedException {
    long point = context.submit(context.writer());
    var running = fixture.device.awaitRunning(1).get(0);
    assertEquals(0, fixture.device.complete(running, status, detail, 0, startNs));
    int ignored = context.await(point, -1);
    return point;
  }

  @Test
  void theDriversCodeAndLineAreKnown() throws Exception {
    long startNs = TimeUnit.SECONDS.toNanos(3);
    long point;
    try (LogCapture log = new LogCapture(WorkErrorBook.class)) {
      point = ended(CompletionSink.ERROR, -Errno.EINVAL, startNs);
      AuditEvent event = events.take();
      assertEquals(Errno.EINVAL, event.code());
      assertEquals("tenant:test", event.actor());
      assertEquals("sim0", event.device());
      assertEquals(Ids.text(context.id()), event.object());
      assertEquals("ERROR, EINVAL; last line of the driver's log: no such op", event.detail());
      assertTrue(
          log.lines().getFirst().contains("EINVAL; last line of the driver's log: no such op"),
          log.lines().toString());
    }
    assertEquals(-Errno.EIO, context.status(point), "as before");
    WorkError error = new WorkError(point, CompletionStatus.ERROR, -Errno.EINVAL, "no such op");
    assertEquals(Optional.of(error), context.error(point));
    WorkErrorInfo newest = new AdminView(fixture.core).workErrors().getFirst();
    assertEquals(error, newest.error());
    assertEquals("test", newest.tenant());
    assertEquals(1, newest.count());
    for (long[] times : asked) {
      assertEquals(startNs - TimeUnit.SECONDS.toNanos(1), times[0]);
      assertEquals(startNs + 10, times[1]);
    }
  }

  @Test
  void aRefusedSubmissionHasTheDriversCode() {
    fixture.device.refusal = -Errno.EMSGSIZE;
    long point = context.submit(context.writer());
    assertEquals(-Errno.EMSGSIZE, context.await(point, -1));
    assertEquals(-Errno.EMSGSIZE, context.error(point).orElseThrow().code());
  }

  @Test
  void aPartialErrorHasItsCount() throws Exception {
    long point = ended(CompletionSink.PARTIAL_ERROR, 3, 10);
    assertEquals(
        "PARTIAL_ERROR, detail 3", context.error(point).orElseThrow().text().split("; ")[0]);
  }

  /** Its status is not there yet. */
  @Test
  void workThatOvertookOtherWorkIsTold() throws Exception {
    long slow = context.submit(context.writer());
    long point = context.submit(context.writer());
    var running = fixture.device.awaitRunning(2);
    assertEquals(
        0, fixture.device.complete(running.get(1), CompletionSink.ERROR, -Errno.EINVAL, 0, 10));
    assertEquals(Errno.EINVAL, events.take().code());
    assertEquals(-Errno.EINPROGRESS, context.status(point));
    assertTrue(context.error(point).isEmpty());
    assertEquals(0, fixture.device.complete(running.get(0), CompletionSink.SUCCESS, 0, 0, 10));
    assertEquals(0, context.await(slow, -1));
    assertEquals(-Errno.EIO, context.await(point, -1));
    assertEquals(-Errno.EINVAL, context.error(point).orElseThrow().code());
  }

  /** A driver may say any number; the book has codes only. */
  @Test
  void whatIsNoCodeIsWrittenDownAsEIO() throws Exception {
    long ignored = ended(CompletionSink.ERROR, Integer.MIN_VALUE, 10);
    assertEquals(Errno.EIO, events.take().code());
  }

  @Test
  void whatEndedOtherwiseHasNone() throws Exception {
    assertTrue(context.error(1).isEmpty(), "never submitted");
    assertTrue(context.error(ended(CompletionSink.SUCCESS, 0, 10)).isEmpty());
    assertTrue(context.error(ended(CompletionSink.TIMEOUT, -Errno.ETIMEDOUT, 10)).isEmpty());
    long point = context.submit(context.writer());
    fixture.crash();
    assertEquals(-Errno.EINTR, context.await(point, -1));
    assertTrue(context.error(point).isEmpty());
    assertTrue(events.isEmpty(), events::toString);
  }

  /** A tenant can bring about as many as it likes. */
  @Test
  void ofManyInASecondOneIsToldAndAllAreCounted() throws Exception {
    for (int i = 0; i < 50; i++) {
      long ignored = ended(CompletionSink.ERROR, -Errno.EINVAL, 10);
    }
    AuditEvent first = events.take();
    assertEquals(Errno.EINVAL, first.code());
    assertTrue(events.size() < 49, () -> "told " + (1 + events.size()));
  }
}
