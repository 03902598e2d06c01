package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Completion;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextInfo;
import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DriverException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a device tells that cannot be is not believed, and hides nothing of others. */
@Timeout(60)
class HostileFiguresTest {
  private final Fixture fixture = new Fixture();
  private final AdminView admin = new AdminView(fixture.core);

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE / 2 + 1, 1L << 62, Long.MIN_VALUE, -1})
  void noWorkWasBusyForLongerThanItWasThere(long says) throws Exception {
    Context context = fixture.context();
    long begun = System.nanoTime();
    for (int i = 1; i <= 4; i++) {
      var future = context.submitAsync(context.writer());
      ScriptedDevice.Submission work = fixture.device.awaitRunning(1).get(0);
      assertEquals(0, fixture.device.complete(work, CompletionSink.SUCCESS, 0, says));
      Completion completion = future.get();
      assertEquals(0, completion.status());
      long most = (System.nanoTime() - begun) * fixture.device.info().computeUnits();
      assertTrue(within(completion.busyNs(), most), completion::toString);
      ContextInfo info = admin.contexts().getFirst();
      assertTrue(within(info.busyNs(), most), info::toString);
    }
  }

  private static boolean within(long ns, long most) {
    return ns >= 0 && ns <= most;
  }

  @Test
  void aDeviceThatAnswersNonsenseIsLeftOutOfTheList() {
    fixture.crash();
    ScriptedDevice next = new ScriptedDevice(fixture.attachment.completions());
    next.reports = true;
    var ignored = fixture.recover(next);
    assertEquals(1, admin.compute().size());
    next.thrownInReports = new DriverException(Errno.EPROTO, "shader_cores = -1");
    assertEquals(List.of(), admin.compute());
    next.thrownInReports = new DriverException(Errno.EACCES, "a refusal");
    AccelException refused = assertThrows(AccelException.class, admin::compute);
    assertEquals(Errno.EACCES, refused.code());
  }
}
