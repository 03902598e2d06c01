package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Completion;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
class SubmissionTest {
  private final Fixture fixture = new Fixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aSubmissionRunsAndEnds() {
    fixture.device.completeAtOnce = true;
    try (Context context = fixture.context()) {
      Buffer buffer = context.allocate(4096, 0);
      for (int i = 1; i <= 1000; i++) {
        CommandWriter writer = context.writer();
        int use = writer.use(buffer, 0, 4096, Buffer.WRITE);
        writer.fill(use, 0, 4096, i);
        long point = context.submit(writer);
        assertEquals(i, point);
        assertEquals(0, context.await(point, -1));
      }
      assertEquals(1000, context.timeline().ended());
      assertEquals(1000, context.info().completed());
      assertEquals(5000, context.info().busyNs());
      buffer.close();
      assertTrue(fixture.device.memory.isEmpty());
    }
    assertTrue(fixture.device.contexts.isEmpty());
  }

  @Test
  void slotsAreBoundedAndPointsEndInOrder() throws InterruptedException {
    try (Context context = fixture.context(ContextSpec.named("small").withQueue(4, 256))) {
      for (int i = 1; i <= 4; i++) {
        assertEquals(i, context.submit(context.writer()));
      }
      assertNull(context.writer());
      assertEquals(-Errno.EAGAIN, context.submit(null));
      List<ScriptedDevice.Submission> running = fixture.device.awaitRunning(4);
      assertEquals(0, fixture.device.complete(running.get(1), CompletionSink.SUCCESS));
      assertEquals(-Errno.ESTALE, fixture.device.complete(running.get(1), CompletionSink.SUCCESS));
      assertEquals(-Errno.ETIME, context.await(2, 1_000_000));
      assertEquals(0, context.timeline().ended());
      assertEquals(0, fixture.device.complete(running.get(0), CompletionSink.ERROR));
      assertEquals(0, context.await(2, -1));
      assertEquals(-Errno.EIO, context.status(1));
      assertEquals(-Errno.EINPROGRESS, context.status(3));
      assertEquals(-Errno.EINVAL, context.status(5));
      assertNotNull(context.writer());
      fixture.device.resetDevice();
    }
  }

  @Test
  void losingTheDeviceEndsEverythingOnce() throws InterruptedException {
    Context context = fixture.context();
    long first = context.submit(context.writer());
    fixture.device.awaitRunning(1);
    fixture.device.room = 1;
    long second = context.submit(context.writer());
    fixture.lose();
    assertEquals(-Errno.EINTR, context.await(first, -1));
    assertEquals(-Errno.EINTR, context.await(second, -1));
    assertNull(context.writer());
    assertEquals(-Errno.ENODEV, context.submit(null));
    ScriptedDevice.Submission late = fixture.device.running.get(0);
    assertEquals(-Errno.ESTALE, fixture.device.complete(late, CompletionSink.SUCCESS));
    fixture.device.room = 10;
    fixture.device.completeAtOnce = true;
    fixture.online(fixture.device, 2);
    try (Context next = fixture.context()) {
      assertEquals(0, next.await(next.submit(next.writer()), -1));
      assertEquals(2, next.accelerator().epoch());
    }
    context.close();
    assertEquals(-Errno.EINTR, context.status(first));
  }

  @Test
  @ExtendWith(NoBlockedListeners.class)
  void listenersHearOfEachCompletionOnceAndInOrder() throws Exception {
    fixture.device.completeAtOnce = true;
    try (Context context = fixture.context(ContextSpec.named("heard").withQueue(4, 256))) {
      List<Long> heard = Collections.synchronizedList(new ArrayList<>());
      CountDownLatch all = new CountDownLatch(500);
      context.listen(
          (from, completion) -> {
            heard.add(completion.point());
            all.countDown();
          },
          Runnable::run);
      List<Long> points = new ArrayList<>();
      while (points.size() < 500) {
        CommandWriter writer = context.writer();
        if (writer != null) {
          points.add(context.submit(writer));
        } else {
          Thread.onSpinWait();
        }
      }
      all.await();
      assertEquals(points, heard);
      CommandWriter writer = awaitWriter(context);
      Completion completion = context.submitAsync(writer).get(20, TimeUnit.SECONDS);
      assertEquals(501, completion.point());
      assertEquals(0, completion.status());
    }
  }

  private static CommandWriter awaitWriter(Context context) {
    CommandWriter writer = context.writer();
    while (writer == null) {
      Thread.onSpinWait();
      writer = context.writer();
    }
    return writer;
  }

  @Test
  void aWriterWritesNothingAfterItsContextIsClosed() {
    Context first = fixture.context();
    CommandWriter stale = first.writer();
    first.close();
    Context second = fixture.context();
    CommandWriter writer = second.writer();
    byte[] before = slots();
    stale.vendor(MemorySegment.ofArray(new long[] {-1, -1}));
    assertArrayEquals(before, slots());
    assertEquals(-Errno.ECLOSED, first.submit(stale));
    assertEquals(1, second.submit(writer));
  }

  @Test
  void aWriterWritesNothingAfterItsSubmission() throws InterruptedException {
    try (Context context = fixture.context()) {
      Buffer buffer = context.allocate(64, 0);
      CommandWriter writer = context.writer();
      assertEquals(1, context.submit(writer));
      var running = fixture.device.awaitRunning(1);
      byte[] before = slots();
      assertEquals(-Errno.EINVAL, writer.use(buffer, 0, 64, Buffer.WRITE));
      writer.vendor(MemorySegment.ofArray(new long[] {-1, -1}));
      assertArrayEquals(before, slots());
      int ignored = fixture.device.complete(running.get(0), CompletionSink.SUCCESS);
      writer = context.writer();
      assertEquals(0, writer.use(buffer, 0, 64, Buffer.WRITE));
      assertEquals(2, context.submit(writer));
      ignored =
          fixture.device.complete(fixture.device.awaitRunning(1).get(0), CompletionSink.SUCCESS);
    }
  }

  @Test
  void aWriterThatSubmittedDoesNotWriteIntoTheSlotsOfTheNextContext() {
    fixture.device.completeAtOnce = true;
    Context first = fixture.context();
    CommandWriter stale = first.writer();
    assertEquals(1, first.submit(stale));
    first.close();
    assertWritesNothingIntoTheNext(stale);
  }

  @Test
  void aWriterLeftByADeadThreadWritesNothingAfterItsContextIsClosed() throws Exception {
    Context first = fixture.context();
    CompletableFuture<CommandWriter> left = new CompletableFuture<>();
    Thread.ofPlatform().start(() -> left.complete(first.writer())).join();
    first.close();
    assertWritesNothingIntoTheNext(left.get());
  }

  private void assertWritesNothingIntoTheNext(CommandWriter stale) {
    Context next = fixture.context();
    CommandWriter writer = next.writer();
    byte[] before = slots();
    stale.vendor(MemorySegment.ofArray(new long[] {-1, -1}));
    assertArrayEquals(before, slots());
    assertEquals(1, next.submit(writer));
  }

  private byte[] slots() {
    return fixture
        .attachment
        .commands()
        .memory()
        .asSlice(0, 1 << 20)
        .toArray(ValueLayout.JAVA_BYTE);
  }
}
