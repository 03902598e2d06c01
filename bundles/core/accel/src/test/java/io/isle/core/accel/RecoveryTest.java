package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Completion;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.MemoryObject;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceState;
import io.isle.api.device.Recovery;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DriverException;
import io.isle.core.accel.settings.AccelLimits;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
class RecoveryTest {
  private static final ContextSpec KEEP = ContextSpec.named("keep").withKeepPending(true);

  private final Fixture fixture = new Fixture(new AccelLimits(64, 5000, 50, 10_000, 10));

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aContextGoesOnWithItsProgramsAndMemory() throws Exception {
    Context context = fixture.context();
    Program sum = context.load(new ProgramSource.Builtin("sum"));
    Buffer buffer = context.allocate(1000, Buffer.PINNED);
    long inFlight = context.submit(context.writer());
    fixture.device.awaitRunning(1);
    fixture.device.room = 1;
    long pending = context.submit(context.writer());

    ScriptedDevice before = fixture.device;
    fixture.crash();
    assertEquals(-Errno.EINTR, context.await(inFlight, -1));
    assertEquals(-Errno.EINTR, context.await(pending, -1));
    assertEquals(-Errno.EINTR, context.timeline().status(pending));
    assertEquals(-Errno.EINTR, context.submit(context.writer()));
    assertEquals("interrupted", context.info().state());
    assertEquals(DeviceState.RECOVERING, context.accelerator().state());
    assertEquals(-Errno.ETIME, context.awaitUsable(1_000_000));
    assertEquals(Errno.EINTR, code(() -> context.allocate(1, 0)));
    assertEquals(Errno.EINTR, code(() -> context.load(new ProgramSource.Builtin("sum"))));
    assertEquals(Errno.EINTR, code(fixture::context));
    assertEquals(
        -Errno.ESTALE, before.complete(before.running.get(0), CompletionSink.SUCCESS), "too late");

    Recovery.Work work = fixture.recover();
    assertEquals(new Recovery.Work(1, 2, 0, 0, 0, 1), work);
    assertEquals(0, context.awaitUsable(-1));
    assertEquals(before.contexts, fixture.device.contexts);
    assertEquals(before.memory, fixture.device.memory);
    assertEquals(List.of(sum.id()), List.copyOf(fixture.device.programs));
    fixture.device.completeAtOnce = true;
    assertEquals(0, context.await(context.submit(context.writer()), -1));
    assertEquals(2, context.accelerator().epoch());
    buffer.close();
    sum.close();
    assertTrue(fixture.device.memory.isEmpty());
    assertTrue(fixture.device.programs.isEmpty());
  }

  @Test
  void lostContentsAreNotRead() {
    Context context = fixture.context();
    fixture.device.completeAtOnce = true;
    Buffer buffer = context.allocate(1000, 0);
    assertEquals(0, context.await(read(context, buffer, 0, 1000), -1));
    fixture.crash();
    fixture.recover();
    fixture.device.completeAtOnce = true;
    assertEquals(MemoryObject.Contents.LOST, buffer.memory().contents());
    assertEquals(-Errno.ENODATA, read(context, buffer, 0, 10));
    assertEquals(2, write(context, buffer, 0, 500));
    assertEquals(3, read(context, buffer, 0, 500));
    assertEquals(-Errno.ENODATA, read(context, buffer, 0, 501));
    try (Mapping mapping = buffer.map()) {
      assertEquals(Errno.ENODATA, code(() -> mapping.invalidate(400, 200)));
      mapping.segment().fill((byte) 1);
      mapping.flush(500, 499);
      assertEquals(-Errno.ENODATA, read(context, buffer, 999, 1));
      mapping.flush(999, 1);
      mapping.invalidate(0, 1000);
    }
    assertEquals(MemoryObject.Contents.VALID, buffer.memory().contents());
    assertEquals(4, read(context, buffer, 0, 1000));
  }

  @Test
  void whatARefusedSubmissionNamesIsNotInUse() {
    Context context = fixture.context();
    Buffer buffer = context.allocate(100, 0);
    fixture.crash();
    fixture.recover();
    assertEquals(-Errno.ENODATA, read(context, buffer, 0, 10));
    buffer.close();
    assertEquals(0, context.info().memoryBytes());
  }

  @Test
  void retainedContentsComeBack() {
    Context context = fixture.context();
    fixture.device.completeAtOnce = true;
    Buffer retained = context.allocate(64, Buffer.RETAINED);
    CommandWriter writer = context.writer();
    assertEquals(-Errno.EACCES, writer.use(retained, 0, 64, Buffer.WRITE));
    assertEquals(-Errno.EACCES, context.submit(writer));
    assertEquals(Errno.EACCES, code(() -> context.attach(retained.memory(), Buffer.WRITE)));
    try (Mapping mapping = retained.map()) {
      mapping.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, 8, 77);
      mapping.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, 16, 78);
      mapping.flush(8, 8);
      fixture.crash();
      assertEquals(Errno.EINTR, code(mapping::segment));
      assertEquals(Errno.EINTR, code(() -> mapping.flush(0, 64)));
      assertEquals(new Recovery.Work(1, 0, 0, 0, 1, 0), fixture.recover());
      assertEquals(77, mapping.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, 8));
      assertEquals(0, mapping.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, 16));
    }
    fixture.device.completeAtOnce = true;
    assertEquals(0, context.await(read(context, retained, 0, 64), -1));
  }

  @Test
  void aMappingTellsOnceThatItsContentsAreLost() {
    Context context = fixture.context();
    Buffer buffer = context.allocate(64, 0);
    Mapping mapping = buffer.map();
    var old = mapping.segment();
    fixture.crash();
    fixture.recover();
    assertEquals(Errno.EINTR, code(() -> mapping.flush(0, 64)), "written to the old memory");
    assertEquals(Errno.EINTR, code(() -> mapping.flush(0, 64)), "still");
    var now = mapping.segment();
    assertFalse(now.equals(old));
    mapping.flush(0, 64);
    fixture.crash();
    fixture.recover();
    assertEquals(Errno.EINTR, code(mapping::segment));
    assertFalse(mapping.segment().equals(now));
    mapping.close();
  }

  @Test
  void keptWorkGoesOnAndWhatReadsLostContentsEnds() throws Exception {
    Context context = fixture.context(KEEP);
    Buffer buffer = context.allocate(100, 0);
    fixture.device.room = 1;
    long inFlight = context.submit(context.writer());
    fixture.device.awaitRunning(1);
    long reads = read(context, buffer, 0, 10);
    long plain = context.submit(context.writer());
    long writes = write(context, buffer, 0, 50);
    long readsAgain = read(context, buffer, 20, 30);
    long readsBeyond = read(context, buffer, 20, 31);
    fixture.crash();
    assertEquals(-Errno.EINTR, context.await(inFlight, -1));
    assertEquals(-Errno.EINPROGRESS, context.status(plain));
    assertEquals(new Recovery.Work(1, 3, 3, 0, 0, 1), fixture.recover());
    assertEquals(-Errno.ENODATA, context.await(reads, -1));
    for (long point : new long[] {plain, writes, readsAgain}) {
      var running = fixture.device.awaitRunning(1);
      fixture.device.complete(running.get(0), CompletionSink.SUCCESS);
      assertEquals(0, context.await(point, -1));
    }
    assertEquals(-Errno.ENODATA, context.await(readsBeyond, -1));
    assertEquals(readsBeyond, context.timeline().ended());
  }

  @Test
  void idempotentWorkStartsAgainOnce() throws Exception {
    Context context = fixture.context();
    Buffer retained = context.allocate(64, Buffer.RETAINED);
    Buffer plain = context.allocate(64, 0);
    long first = context.submit(replayable(context, retained, plain));
    long second = context.submit(replayable(context, plain, plain));
    long third = context.submit(replayable(context, retained, plain));
    fixture.device.awaitRunning(3);
    fixture.crash();
    assertEquals(new Recovery.Work(1, 1, 0, 2, 1, 1), fixture.recover());
    long fourth = context.submit(context.writer());
    var running = fixture.device.awaitRunning(3);
    fixture.device.complete(running.get(0), CompletionSink.SUCCESS);
    assertEquals(0, context.await(first, -1));
    assertEquals(-Errno.EINTR, context.await(second, -1));
    fixture.crash();
    fixture.recover();
    assertEquals(-Errno.EINTR, context.await(third, -1));
    assertEquals(-Errno.EINTR, context.await(fourth, -1));
    assertTrue(fixture.device.running.isEmpty());
  }

  @Test
  void anOrderlyReplacementLosesNothing() throws Exception {
    Context context = fixture.context();
    Buffer buffer = context.allocate(64, 0);
    Mapping mapping = buffer.map();
    mapping.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 7);
    mapping.flush(0, 8);
    long running = context.submit(context.writer());
    var submission = fixture.device.awaitRunning(1).get(0);
    CompletableFuture<Boolean> drained =
        CompletableFuture.supplyAsync(() -> fixture.attachment.pause(Duration.ofSeconds(30)));
    while (!fixture.paused()) {
      Thread.onSpinWait();
    }
    long pending = read(context, buffer, 0, 8);
    fixture.device.complete(submission, CompletionSink.SUCCESS);
    assertTrue(drained.get());
    assertEquals(0, context.status(running));
    fixture.attachment.save();
    mapping.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 8);
    assertEquals(Errno.EINTR, code(() -> mapping.flush(0, 8)), "after the contents were taken");
    assertEquals(-Errno.ETIME, context.awaitUsable(0), "what is refused must be worth a wait");
    fixture.replace();
    assertEquals(new Recovery.Work(1, 0, 1, 0, 1, 0), fixture.recover());
    fixture.attachment.unpause();
    fixture.device.complete(fixture.device.awaitRunning(1).get(0), CompletionSink.SUCCESS);
    assertEquals(0, context.await(pending, -1));
    assertEquals(7, mapping.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
    assertEquals(MemoryObject.Contents.VALID, buffer.memory().contents());
  }

  @Test
  void savedContentsWaitForTheOwnerOfDriversToComeBack() {
    Context context = fixture.context();
    Buffer buffer = context.allocate(64, 0);
    try (Mapping mapping = buffer.map()) {
      mapping.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 7);
      mapping.flush(0, 8);
      assertTrue(fixture.attachment.pause(Duration.ofSeconds(30)));
      fixture.attachment.save();
      fixture.replace();
      fixture.attachment.unpause();
      fixture.attachment.detach("the driver service stopped");
      fixture.attachAgain();
      assertEquals(new Recovery.Work(1, 0, 0, 0, 1, 0), fixture.recover());
      assertEquals(MemoryObject.Contents.VALID, buffer.memory().contents());
      assertEquals(7, mapping.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
      mapping.flush(0, 8);
    }
  }

  @Test
  void aReplacementThatIsCalledOffLetsWritersGoOn() {
    Context context = fixture.context();
    Mapping mapping = context.allocate(64, 0).map();
    assertTrue(fixture.attachment.pause(Duration.ofSeconds(30)));
    fixture.attachment.save();
    mapping.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 8);
    assertEquals(Errno.EINTR, code(() -> mapping.flush(0, 8)));
    assertEquals(-Errno.ETIME, context.awaitUsable(0));
    fixture.attachment.unpause();
    assertEquals(0, context.awaitUsable(-1));
    mapping.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 8);
    mapping.flush(0, 8);
  }

  @Test
  void whatDoesNotDrainIsInterrupted() throws Exception {
    Context context = fixture.context();
    long running = context.submit(context.writer());
    fixture.device.awaitRunning(1);
    assertFalse(fixture.attachment.pause(Duration.ofMillis(20)));
    assertEquals(-Errno.EINTR, context.await(running, -1));
    long kept = context.submit(context.writer());
    assertEquals(-Errno.ETIME, context.await(kept, 20_000_000));
    assertTrue(fixture.device.running.isEmpty());
    fixture.attachment.unpause();
    fixture.device.complete(fixture.device.awaitRunning(1).get(0), CompletionSink.SUCCESS);
    assertEquals(0, context.await(kept, -1));
  }

  @Test
  void aDeviceThatFailsWhileContextsAreMadeLeavesThemForTheNext() {
    List<Context> contexts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      contexts.add(fixture.context());
      contexts.get(i).allocate(100, 0);
    }
    fixture.crash();
    fixture.device = new ScriptedDevice(fixture.attachment.completions());
    fixture.device.failAfter(2, new DriverException(Errno.EIO, "broken"));
    DriverException e =
        assertThrows(DriverException.class, () -> fixture.attachment.rebuild(fixture.device, 2));
    assertEquals(Errno.EIO, e.code());
    assertEquals("interrupted", contexts.get(0).info().state());
    contexts.get(1).close();
    assertEquals(new Recovery.Work(3, 0, 0, 0, 0, 3), fixture.recover());
    for (Context context : contexts) {
      assertEquals(context == contexts.get(1) ? -Errno.ECLOSED : 0, context.awaitUsable(-1));
    }
    assertEquals(3, fixture.device.contexts.size());
  }

  @Test
  void aContextThatTheNextDeviceRefusesIsLostAlone() {
    Context first = fixture.context();
    Context second = fixture.context();
    fixture.crash();
    fixture.device = new ScriptedDevice(fixture.attachment.completions());
    fixture.device.failAfter(1, new DriverException(Errno.ENOMEM, "full"));
    assertEquals(1, fixture.attachment.rebuild(fixture.device, 2).contexts());
    fixture.attachment.thaw();
    assertEquals(0, first.awaitUsable(-1));
    assertEquals(-Errno.ENODEV, second.awaitUsable(-1));
  }

  @Test
  void closingDuringARecoveryIsFinal() throws Exception {
    Context context = fixture.context(KEEP);
    Context other = fixture.context();
    Buffer dropped = other.allocate(10, 0);
    Program unloaded = other.load(new ProgramSource.Builtin("sum"));
    fixture.device.room = 1;
    long inFlight = context.submit(context.writer());
    fixture.device.awaitRunning(1);
    long pending = context.submit(context.writer());
    fixture.freeze();
    dropped.close();
    unloaded.close();
    context.close();
    assertEquals(-Errno.ECLOSED, context.status(inFlight));
    assertEquals(-Errno.ECLOSED, context.status(pending));
    fixture.attachment.fail(false);
    assertEquals(1, fixture.recover().contexts());
    assertEquals(List.of(other.id()), List.copyOf(fixture.device.contexts.keySet()));
    assertTrue(fixture.device.memory.isEmpty());
    assertTrue(fixture.device.programs.isEmpty());
    assertEquals(-Errno.ECLOSED, context.submit(context.writer()));
  }

  @Test
  @ExtendWith(NoBlockedListeners.class)
  void everybodyIsToldOnce() throws Exception {
    Context context = fixture.context(ContextSpec.named("heard").withQueue(16, 256));
    List<Long> heard = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch told = new CountDownLatch(3);
    context.listen(
        (from, completion) -> {
          heard.add(completion.point() * 100 + completion.status());
          told.countDown();
        },
        Runnable::run);
    CompletableFuture<Completion> future = context.submitAsync(context.writer());
    CompletableFuture<Completion> second = context.submitAsync(context.writer());
    CompletableFuture<Integer> waiter = CompletableFuture.supplyAsync(() -> context.await(2, -1));
    fixture.device.awaitRunning(2);
    fixture.crash();
    assertEquals(-Errno.EINTR, future.get().status());
    assertEquals(-Errno.EINTR, second.get().status());
    assertEquals(-Errno.EINTR, waiter.get());
    fixture.recover();
    fixture.device.completeAtOnce = true;
    assertEquals(0, context.submitAsync(context.writer()).get().status());
    told.await();
    assertEquals(List.of(100L - Errno.EINTR, 200L - Errno.EINTR, 300L), heard);
  }

  @Test
  void contextsWaitForTheOwnerOfDriversToComeBack() {
    Context context = fixture.context();
    fixture.crash();
    fixture.attachment.detach("the driver service stopped");
    assertEquals(-Errno.EINTR, context.submit(null));
    fixture.attachAgain();
    fixture.recover();
    assertEquals(0, context.awaitUsable(-1));
    assertThrows(IllegalStateException.class, () -> fixture.core.attach("sim0"));
  }

  @Test
  void contextsAreLostWhenNobodyComesBack() {
    Fixture brief = new Fixture(new AccelLimits(4, 5000, 50, 0, 10));
    Context context = brief.context();
    brief.crash();
    brief.attachment.detach("the driver service stopped");
    assertEquals(-Errno.ENODEV, context.awaitUsable(-1));
    assertNull(context.writer());
    brief.close();
  }

  private static CommandWriter replayable(Context context, Buffer from, Buffer to) {
    CommandWriter writer = context.writer().replayable();
    int source = writer.use(from, 0, 32, Buffer.READ);
    int target = writer.use(to, 32, 32, Buffer.WRITE);
    return writer.copy(target, 0, source, 0, 32);
  }

  private static long read(Context context, Buffer buffer, long offset, long length) {
    CommandWriter writer = context.writer();
    int ignored = writer.use(buffer, offset, length, Buffer.READ);
    return context.submit(writer);
  }

  private static long write(Context context, Buffer buffer, long offset, long length) {
    CommandWriter writer = context.writer();
    int ignored = writer.use(buffer, offset, length, Buffer.WRITE);
    return context.submit(writer);
  }

  private static int code(org.junit.jupiter.api.function.Executable call) {
    return assertThrows(AccelException.class, call).code();
  }
}
