package io.isle.core.accel.managed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Context;
import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DriverException;
import io.isle.core.accel.Fixture;
import io.isle.core.accel.ScriptedDevice;
import io.isle.core.testing.Thrown;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an agent's control operation throws ends the agent, is told, and the device comes back. */
@Timeout(60)
class AgentFailureTest {
  private final Fixture fixture = new Fixture();
  private final DeviceEngine engine = fixture.device().engine();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Runnable throwing(Throwable what) {
    return () -> Thrown.raise(what);
  }

  @ParameterizedTest
  @MethodSource("io.isle.core.testing.Thrown#kinds")
  void theDeviceIsToldAndRecovers(Throwable thrown) throws Exception {
    engine.post(throwing(thrown));
    RecoveryCause cause = fixture.failures.take();
    assertEquals(RecoveryCause.Kind.EXCEPTION, cause.kind());
    assertTrue(cause.text().contains("planned"), cause.text());
    recovers();
  }

  @ParameterizedTest
  @MethodSource("io.isle.core.testing.Thrown#kinds")
  void whatWaitsBehindItIsDoneAlsoWhenThatThrows(Throwable thrown) throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    Queue<String> done = new ConcurrentLinkedQueue<>();
    engine.post(() -> waitFor(go));
    engine.post(throwing(thrown));
    engine.post(() -> done.add("first"));
    engine.post(throwing(thrown));
    engine.post(() -> done.add("second"));
    go.countDown();
    assertEquals(RecoveryCause.Kind.EXCEPTION, fixture.failures.take().kind());
    assertEquals(List.of("first", "second"), List.copyOf(done));
    recovers();
  }

  @ParameterizedTest
  @MethodSource("io.isle.core.testing.Thrown#kinds")
  void whoWaitsForTheOperationHearsOfIt(Throwable thrown) throws Exception {
    AccelException refused =
        assertThrows(AccelException.class, () -> engine.call(throwing(thrown)));
    assertEquals(Errno.EINTR, refused.code());
    assertTrue(refused.getMessage().contains("planned"), refused.getMessage());
    assertEquals(RecoveryCause.Kind.EXCEPTION, fixture.failures.take().kind());
    recovers();
  }

  @ParameterizedTest
  @MethodSource("io.isle.core.testing.Thrown#kinds")
  void anAgentThatEndsWhileNoDeviceIsOpenIsStartedAgain(Throwable thrown) {
    fixture.crash();
    assertThrows(AccelException.class, () -> engine.call(throwing(thrown)));
    assertThrows(AccelException.class, () -> engine.call(throwing(thrown)), "by its caller");
    recovers();
  }

  @ParameterizedTest
  @MethodSource("io.isle.core.testing.Thrown#kinds")
  void noDeviceIsThawedWithoutAnAgent(Throwable thrown) {
    fixture.crash();
    fixture.device = new ScriptedDevice(fixture.attachment.completions());
    var ignored = fixture.attachment.rebuild(fixture.device, 2);
    assertThrows(AccelException.class, () -> engine.call(throwing(thrown)));
    assertThrows(DriverException.class, fixture.attachment::thaw);
    fixture.crash();
    recovers();
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void recovers() {
    fixture.recover();
    fixture.device.completeAtOnce = true;
    try (Context context = fixture.context()) {
      assertEquals(0, context.await(context.submit(context.writer()), -1));
    }
  }
}
