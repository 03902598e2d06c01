package io.isle.core.accel.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.MemoryObject.Contents;
import io.isle.api.base.Errno;
import io.isle.core.accel.Fixture;
import io.isle.core.accel.context.ContextSeat;
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
    ContextSeat seat = context.seat();
    int stamp = ContextState.stampOf(seat.word());
    FutureTask<Integer> admission = new FutureTask<>(() -> bindings.admitContents(seat, stamp));
    Thread tenant = new Thread(admission);
    synchronized (seat) {
      tenant.start();
      assertTrue(Until.holds(() -> tenant.getState() == Thread.State.BLOCKED));
      second.memory.lose(0, 10);
      seat.lostContents();
    }
    assertEquals(-Errno.EINTR, admission.get());
    assertEquals(Contents.LOST, first.memory.contents());
    int now = ContextState.stampOf(seat.word());
    assertEquals(0, bindings.admitContents(seat, now));
    assertEquals(Contents.VALID, first.memory.contents());
    assertEquals(Contents.VALID, second.memory.contents());
  }
}
