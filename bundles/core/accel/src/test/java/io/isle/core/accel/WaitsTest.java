package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.api.driver.CompletionSink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WaitsTest {
  private final Fixture fixture = new Fixture();
  private final OwnedAttachment secondAttachment = new OwnedAttachment(fixture.core.attach("sim1"));
  private final ScriptedDevice second = new ScriptedDevice(secondAttachment.completions());

  WaitsTest() {
    second.completeAtOnce = true;
    var ignored = secondAttachment.rebuild(second, 1);
    secondAttachment.thaw();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void workOfAnotherDeviceStartsWhenThePointHasEnded() throws InterruptedException {
    Context first = fixture.context();
    Context dependent = onSecond();
    for (int i = 0; i < 200; i++) {
      long awaited = first.submit(first.writer());
      long point = dependent.submit(dependent.writer().after(first.timeline(), awaited));
      var running = fixture.device.awaitRunning(1);
      assertEquals(-Errno.EINPROGRESS, dependent.status(point));
      assertEquals(0, fixture.device.complete(running.get(0), CompletionSink.SUCCESS));
      assertEquals(0, dependent.await(point, -1));
      assertEquals(0, first.status(awaited));
    }
  }

  @Test
  void contextsOfOneDeviceWaitForEachOther() throws InterruptedException {
    Context low = fixture.context(ContextSpec.named("low").withPriority(Priority.BACKGROUND));
    Context high = fixture.context(ContextSpec.named("high").withPriority(Priority.HIGH));
    long awaited = low.submit(low.writer());
    long point = high.submit(high.writer().after(low.timeline(), awaited));
    var running = fixture.device.awaitRunning(1);
    assertEquals(low.id(), running.get(0).context());
    fixture.device.complete(running.get(0), CompletionSink.ERROR);
    running = fixture.device.awaitRunning(1);
    assertEquals(high.id(), running.get(0).context());
    fixture.device.complete(running.get(0), CompletionSink.SUCCESS);
    assertEquals(0, high.await(point, -1));
    assertEquals(-Errno.EIO, low.status(awaited));
  }

  @Test
  void aWaitIsOverWhenItsContextIs() {
    Context first = fixture.context();
    Context dependent = onSecond();
    long awaited = first.submit(first.writer());
    long point = dependent.submit(dependent.writer().after(first.timeline(), awaited));
    fixture.attachment.close();
    assertEquals(0, dependent.await(point, -1));
  }

  @Test
  void whatWasNeverSubmittedCannotBeWaitedFor() {
    Context first = fixture.context();
    Context dependent = onSecond();
    assertEquals(-Errno.EINVAL, dependent.submit(dependent.writer().after(first.timeline(), 1)));
    assertEquals(-Errno.EINVAL, dependent.submit(dependent.writer().after(null, 0)));
    assertEquals(-Errno.EINVAL, dependent.submit(dependent.writer().after(first.timeline(), -1)));
    CommandWriter many = dependent.writer();
    for (int i = 0; i < 8; i++) {
      many.after(first.timeline(), 0);
    }
    assertEquals(1, dependent.submit(many));
    many = dependent.writer();
    for (int i = 0; i < 9; i++) {
      many.after(first.timeline(), 0);
    }
    assertEquals(-Errno.EINVAL, dependent.submit(many));
    assertEquals(0, dependent.await(1, -1));
  }

  private Context onSecond() {
    return fixture
        .view
        .find(DeviceQuery.id("sim1"))
        .open(fixture.all, ContextSpec.named("dependent"));
  }
}
