package io.isle.core.accel.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.MemoryObject.Contents;
import io.isle.api.base.Errno;
import io.isle.core.accel.Fixture;
import io.isle.core.accel.context.ContextRecord;
import io.isle.core.accel.context.DeviceBuffer;
import io.isle.core.accel.queue.ContextState;
import io.isle.core.testing.Until;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BindingsTest {
  private final Fixture fixture = new Fixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aSubmissionThatIsRefusedBringsNothingBack() throws Exception {
    ExecutionContext context = (ExecutionContext) fixture.context();
    DeviceBuffer first = (DeviceBuffer) context.allocate(100, 0);
    DeviceBuffer second = (DeviceBuffer) context.allocate(100, 0);
    fixture.crash();
    fixture.recover();
    Bindings bindings = new Bindings(2);
    assertEquals(0, bindings.add(first, 0, 100, Buffer.WRITE));
    assertEquals(1, bindings.add(second, 0, 100, Buffer.WRITE));
    ContextRecord record = context.record();
    int stamp = ContextState.stampOf(record.word());
    FutureTask<Integer> admission = new FutureTask<>(() -> bindings.admitContents(record, stamp));
    Thread tenant = new Thread(admission);
    synchronized (record) {
      tenant.start();
      assertTrue(Until.holds(() -> tenant.getState() == Thread.State.BLOCKED));
      second.memory.lose(0, 10);
      record.lostContents();
    }
    assertEquals(-Errno.EINTR, admission.get());
    assertEquals(Contents.LOST, first.memory.contents());
    int now = ContextState.stampOf(record.word());
    assertEquals(0, bindings.admitContents(record, now));
    assertEquals(Contents.VALID, first.memory.contents());
    assertEquals(Contents.VALID, second.memory.contents());
  }
}
