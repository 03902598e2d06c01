package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.MemoryObject;
import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.core.accel.memory.DeviceMemory;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device's own copy of memory goes with the device: nobody reads the next one's by mistake. */
@Timeout(60)
class DeviceCopiesTest {
  private static final int APART = Buffer.NO_COPY_IN | Buffer.NO_COPY_BACK;
  private static final int FOUND = Buffer.READ | Buffer.NO_COPY_IN;

  private final Fixture fixture = TestKernels.fixture();
  private final Context context =
      fixture.context(ContextSpec.named("copies").withKeepPending(true));
  private final Buffer buffer = context.allocate(1000, 0);

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Uses a range in a submission of its own; its code, or its end. */
  private int use(Buffer used, long offset, long length, int access) {
    long point = submit(used, offset, length, access);
    return point < 0 ? (int) point : context.await(point, -1);
  }

  private long submit(Buffer used, long offset, long length, int access) {
    CommandWriter writer = context.writer();
    assertTrue(writer.use(used, offset, length, access) >= 0, writer::mistake);
    return context.submit(writer);
  }

  private void handOver() {
    assertTrue(fixture.attachment.pause(Duration.ofSeconds(30)));
    fixture.attachment.save();
    fixture.replace();
    recover();
    fixture.attachment.unpause();
  }

  private void recover() {
    ScriptedDevice next = TestKernels.device(fixture);
    next.completeAtOnce = true;
    fixture.recoverWith(next);
    assertEquals(0, context.awaitUsable(-1));
  }

  @Test
  void whatWorkLeftOnADeviceIsThereForLaterWork() {
    fixture.device.completeAtOnce = true;
    assertEquals(0, use(buffer, 0, 1000, FOUND), "zeros at first");
    assertEquals(0, use(buffer, 0, 1000, Buffer.WRITE | APART));
    assertEquals(0, use(buffer, 0, 1000, FOUND));
  }

  @Test
  void aHandoverKeepsTheContentsButNotTheCopy() {
    fixture.device.completeAtOnce = true;
    assertEquals(0, use(buffer, 0, 1000, Buffer.WRITE | APART));
    handOver();
    assertEquals(MemoryObject.Contents.VALID, buffer.memory().contents());
    assertEquals(-Errno.ENODATA, use(buffer, 0, 1000, FOUND));
    assertEquals(0, use(buffer, 0, 600, Buffer.READ), "this copies in");
    assertEquals(0, use(buffer, 0, 600, FOUND));
    assertEquals(-Errno.ENODATA, use(buffer, 0, 601, FOUND));
    assertEquals(0, use(buffer, 600, 400, Buffer.WRITE | APART), "this makes it anew");
    assertEquals(0, use(buffer, 0, 1000, FOUND));
  }

  /** It was used with copies only, so that the first use without is the one to look. */
  @Test
  void memoryThatWasNeverApartIsLookedAtToo() {
    fixture.device.completeAtOnce = true;
    assertEquals(0, use(buffer, 0, 1000, Buffer.READ));
    handOver();
    assertEquals(-Errno.ENODATA, use(buffer, 0, 1000, FOUND));
    Buffer other = context.allocate(10, 0);
    assertEquals(0, use(other, 0, 10, FOUND), "memory of this device begins as zeros");
    assertEquals(0, use(buffer, 0, 1000, Buffer.READ));
    assertEquals(0, use(buffer, 0, 1000, FOUND));
  }

  @Test
  void whatIsNotCopiedBackBringsNoLostContentsBack() {
    fixture.device.completeAtOnce = true;
    assertEquals(0, use(buffer, 0, 1000, Buffer.WRITE));
    fixture.crash();
    recover();
    assertEquals(-Errno.ENODATA, use(buffer, 0, 1000, Buffer.READ));
    assertEquals(0, use(buffer, 0, 1000, Buffer.WRITE | APART));
    assertEquals(0, use(buffer, 0, 1000, FOUND));
    assertEquals(MemoryObject.Contents.LOST, buffer.memory().contents());
    assertEquals(-Errno.ENODATA, use(buffer, 0, 1000, Buffer.READ));
    assertEquals(0, use(buffer, 0, 1000, Buffer.WRITE | Buffer.NO_COPY_IN));
    assertEquals(MemoryObject.Contents.VALID, buffer.memory().contents());
    assertEquals(0, use(buffer, 0, 1000, Buffer.READ));
  }

  /** A handover with keepPending: what waits for its turn was admitted on the device before. */
  @Test
  void pendingWorkIsCheckedAgainInItsOrder() throws Exception {
    long first = submit(buffer, 0, 1000, Buffer.WRITE | APART);
    fixture.device.complete(fixture.device.awaitRunning(1).getFirst(), CompletionSink.SUCCESS);
    assertEquals(0, context.await(first, -1));
    assertTrue(fixture.attachment.pause(Duration.ofSeconds(30)));
    long reads = submit(buffer, 0, 500, FOUND);
    long copies = submit(buffer, 0, 500, Buffer.READ);
    long readsAgain = submit(buffer, 0, 500, FOUND);
    long readsBeyond = submit(buffer, 0, 501, FOUND);
    fixture.attachment.save();
    fixture.replace();
    recover();
    fixture.attachment.unpause();
    assertEquals(-Errno.ENODATA, context.await(reads, -1));
    assertEquals(0, context.await(copies, -1));
    assertEquals(0, context.await(readsAgain, -1));
    assertEquals(-Errno.ENODATA, context.await(readsBeyond, -1));
  }

  @Test
  void aReplayReadsNoCopyOfADeviceThatIsGone() throws Exception {
    Buffer retained = context.allocate(100, Buffer.RETAINED);
    long plain = replayable(retained, Buffer.READ);
    long apart = replayable(retained, FOUND);
    fixture.device.awaitRunning(2);
    fixture.crash();
    recover();
    assertEquals(0, context.await(plain, -1));
    assertEquals(-Errno.EINTR, context.await(apart, -1));
    assertFalse(context.info().pending() > 0);
  }

  private long replayable(Buffer used, int access) {
    CommandWriter writer = context.writer().replayable();
    assertTrue(writer.use(used, 0, 100, access) >= 0, writer::mistake);
    return context.submit(writer);
  }

  @Test
  void pagesThatAreReplacedAreGoneFromTheCopy() {
    fixture.device.completeAtOnce = true;
    assertEquals(0, use(buffer, 0, 1000, Buffer.WRITE | APART));
    DeviceMemory memory = (DeviceMemory) buffer.memory();
    memory.lose(0, 100);
    assertTrue(memory.isStale(0, 1));
    assertFalse(memory.isStale(100, 1));
  }
}
