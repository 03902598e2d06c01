package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.MemoryObject.Contents;
import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.PageRetirement;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.core.accel.queue.ContextState;
import io.isle.core.accel.submit.ExecutionContext;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PageReplacementTest {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final int PAGE = 4096;

  private final Fixture fixture = new Fixture();
  private ExecutionContext context;
  private long touching;

  @BeforeEach
  void open() {
    fixture.crash();
    fixture.recoverWithRetirement();
    context = (ExecutionContext) fixture.context();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void writesFromAfterTheLossDoNotHideItFromReadsFromBefore() throws Exception {
    Buffer buffer = context.allocate(2 * PAGE, 0);
    var running = touch();
    long before = use(buffer, PAGE, PAGE, Buffer.READ);
    CompletableFuture<Long> write = inRetirement(() -> use(buffer, 0, 2 * PAGE, Buffer.WRITE));
    poison(running, new PageRetirement.Range(buffer.id(), PAGE, PAGE));
    goOn();
    assertEquals(-Errno.ENODATA, context.await(before, -1));
    long after = use(buffer, 0, 2 * PAGE, Buffer.READ);
    assertEquals(0, context.await(write.get(), -1));
    assertEquals(0, context.await(after, -1));
  }

  @Test
  void otherRangesThatAreStillLostDoNotHideItEither() throws Exception {
    Buffer buffer = context.allocate(2 * PAGE, 0);
    var running = touch();
    long before = use(buffer, PAGE, PAGE, Buffer.READ);
    CompletableFuture<Long> write = inRetirement(() -> use(buffer, PAGE, PAGE, Buffer.WRITE));
    poison(
        running,
        new PageRetirement.Range(buffer.id(), 0, PAGE),
        new PageRetirement.Range(buffer.id(), PAGE, PAGE));
    goOn();
    assertEquals(-Errno.ENODATA, context.await(before, -1));
    assertEquals(0, context.await(write.get(), -1));
    assertEquals(-Errno.ENODATA, use(buffer, 0, PAGE, Buffer.READ));
    assertEquals(0, context.await(use(buffer, PAGE, PAGE, Buffer.READ), -1));
  }

  @Test
  void pendingWritesFromBeforeTheLossBringContentsBack() throws Exception {
    Buffer buffer = context.allocate(PAGE, 0);
    var running = touch();
    long write = use(buffer, 0, PAGE, Buffer.WRITE);
    long read = use(buffer, 0, PAGE, Buffer.READ);
    poison(running, new PageRetirement.Range(buffer.id(), 0, PAGE));
    goOn();
    assertEquals(0, context.await(write, -1));
    assertEquals(0, context.await(read, -1));
    assertEquals(Contents.VALID, buffer.memory().contents());
  }

  @Test
  void whatWasAdmittedBeforeTheLossAndComesLateEnds() throws Exception {
    Buffer buffer = context.allocate(PAGE, 0);
    int stamp = ContextState.stampOf(context.record().word());
    CompletableFuture<Long> write = inRetirement(() -> use(buffer, 0, PAGE, Buffer.WRITE));
    poison(touch(), new PageRetirement.Range(buffer.id(), 0, PAGE));
    goOn();
    assertEquals(0, context.await(write.get(), -1));
    long late = use(buffer, 0, PAGE, Buffer.READ) + 1;
    ContextQueue queue = context.record().queue();
    queue.describe(late, queue.length(late - 1), 0, stamp, false);
    queue.timeline.publish(late);
    context.record().services().bell().ring();
    assertEquals(-Errno.EINTR, context.await(late, -1));
  }

  @Test
  void whatTheCpuWroteToALostPageIsNotTakenForItsContents() throws Exception {
    Buffer buffer = context.allocate(PAGE, 0);
    try (Mapping mapping = buffer.map()) {
      mapping.segment().set(LONG, 0, 5);
      CompletableFuture<Long> lost = inRetirement(() -> 0L);
      poison(touch(), new PageRetirement.Range(buffer.id(), 0, PAGE));
      assertEquals(0, lost.get());
      goOn();
      assertEquals(0, context.await(context.submit(context.writer()), -1));
      assertEquals(Errno.EINTR, code(() -> mapping.flush(0, PAGE)));
      assertEquals(-Errno.ENODATA, use(buffer, 0, PAGE, Buffer.READ));
      mapping.segment().set(LONG, 0, 6);
      mapping.flush(0, PAGE);
    }
    assertEquals(0, context.await(use(buffer, 0, PAGE, Buffer.READ), -1));
  }

  @Test
  void aFlushAfterARetainedPageWasRestoredIsRefused() throws Exception {
    Buffer retained = context.allocate(PAGE, Buffer.RETAINED);
    try (Mapping mapping = retained.map()) {
      mapping.segment().set(LONG, 0, 5);
      mapping.flush(0, PAGE);
      mapping.segment().set(LONG, 0, 6);
      poison(touch(), new PageRetirement.Range(retained.id(), 0, PAGE));
      goOn();
      assertEquals(0, context.await(context.submit(context.writer()), -1));
      assertEquals(Errno.EINTR, code(() -> mapping.flush(0, PAGE)));
      assertEquals(5, mapping.segment().get(LONG, 0));
      mapping.segment().set(LONG, 0, 6);
      mapping.flush(0, PAGE);
      fixture.crash();
      fixture.recover();
      assertEquals(6, mapping.segment().get(LONG, 0));
    }
  }

  @Test
  void aFlushWhilePagesAreReplacedIsRefusedAndWorthAWait() throws Exception {
    Buffer retained = context.allocate(PAGE, Buffer.RETAINED);
    try (Mapping mapping = retained.map()) {
      mapping.segment().set(LONG, 0, 5);
      CompletableFuture<Long> flush =
          inRetirement(
              () -> {
                assertEquals(-Errno.ETIME, context.awaitUsable(0));
                return (long) code(() -> mapping.flush(0, PAGE));
              });
      poison(touch(), new PageRetirement.Range(retained.id(), 0, PAGE));
      assertEquals(Errno.EINTR, flush.get().intValue());
      assertEquals(0, context.awaitUsable(-1));
      mapping.segment().set(LONG, 0, 6);
      mapping.flush(0, PAGE);
    }
  }

  @Test
  void retainedMemoryIsNeverLost() throws Exception {
    Buffer retained = context.allocate(PAGE, Buffer.RETAINED);
    CompletableFuture<Long> read =
        inRetirement(
            () -> {
              assertEquals(Contents.VALID, retained.memory().contents());
              return use(retained, 0, PAGE, Buffer.READ);
            });
    poison(touch(), new PageRetirement.Range(retained.id(), 0, PAGE));
    assertTrue(read.get() > 0);
    goOn();
    assertEquals(0, context.await(read.get(), -1));
  }

  @Test
  void aLastPageThatIsUsedInPartIsReplacedAsAWholeOne() throws Exception {
    Buffer retained = context.allocate(1000, Buffer.RETAINED);
    Buffer plain = context.allocate(1000, 0);
    try (Mapping mapping = retained.map()) {
      mapping.segment().set(LONG, 0, 5);
      mapping.flush(0, 1000);
      CompletableFuture<Long> told =
          inRetirement(
              () -> {
                mapping.segment().set(LONG, 0, 0);
                return (long) code(() -> mapping.invalidate(0, 1000));
              });
      poison(
          touch(),
          new PageRetirement.Range(retained.id(), 0, PAGE),
          new PageRetirement.Range(plain.id(), 0, PAGE));
      assertEquals(Errno.EINTR, told.get().intValue());
      goOn();
      assertEquals(0, context.await(use(retained, 0, 1000, Buffer.READ), -1));
      mapping.invalidate(0, 1000);
      assertEquals(5, mapping.segment().get(LONG, 0));
    }
    assertEquals(-Errno.ENODATA, use(plain, 0, 1000, Buffer.READ));
    assertEquals(0, context.await(use(plain, 0, 1000, Buffer.WRITE), -1));
    assertEquals(Contents.VALID, plain.memory().contents());
  }

  @Test
  void retainedMemoryOutlivesAPageThatIsNotReplaced() throws Exception {
    Buffer retained = context.allocate(PAGE, Buffer.RETAINED);
    AtomicInteger attempts = new AtomicInteger();
    fixture.device.inRetire =
        () -> {
          attempts.incrementAndGet();
          throw new DriverException(Errno.ENOMEM, "no healthy page is left");
        };
    poison(touch(), new PageRetirement.Range(retained.id(), 0, PAGE));
    goOn();
    assertEquals(0, context.await(use(retained, 0, PAGE, Buffer.READ), -1));
    assertEquals(1, attempts.get());
    assertEquals(Contents.VALID, retained.memory().contents());
    try (Mapping mapping = retained.map()) {
      mapping.segment().set(LONG, 0, 6);
      mapping.flush(0, PAGE);
    }
  }

  /** Something is on the device, and nothing follows until {@link #goOn}. */
  private ScriptedDevice.Submission touch() throws InterruptedException {
    touching = context.submit(context.writer());
    ScriptedDevice.Submission running = fixture.device.awaitRunning(1).get(0);
    fixture.device.room = 0;
    return running;
  }

  /** It finds bad pages; once it has ended, its context rests until they are replaced. */
  private void poison(ScriptedDevice.Submission running, PageRetirement.Range... faulty) {
    fixture.device.faulty.addAll(java.util.List.of(faulty));
    int ignored = fixture.device.complete(running, CompletionSink.ERROR, -Errno.EHWPOISON);
    assertEquals(-Errno.EIO, context.await(touching, -1));
  }

  private void goOn() {
    fixture.device.completeAtOnce = true;
    fixture.device.room = Integer.MAX_VALUE;
  }

  /** What a tenant does, once, after contents were lost and before pages are replaced. */
  private CompletableFuture<Long> inRetirement(Supplier<Long> action) {
    CompletableFuture<Long> done = new CompletableFuture<>();
    fixture.device.inRetire =
        () -> {
          if (!done.isDone()) {
            try {
              done.complete(action.get());
            } catch (RuntimeException | Error e) {
              done.completeExceptionally(e);
            }
          }
        };
    return done;
  }

  private long use(Buffer buffer, long offset, long length, int access) {
    CommandWriter writer = context.writer();
    int ignored = writer.use(buffer, offset, length, access);
    return context.submit(writer);
  }

  private static int code(org.junit.jupiter.api.function.Executable call) {
    return assertThrows(AccelException.class, call).code();
  }
}
