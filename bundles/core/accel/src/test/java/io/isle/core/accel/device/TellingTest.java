package io.isle.core.accel.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.device.RecoveryCause;
import io.isle.core.testing.Thrown;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TellingTest {
  private static final RecoveryCause CAUSE =
      new RecoveryCause(RecoveryCause.Kind.EXCEPTION, "planned");

  static Stream<Throwable> thrown() {
    return Stream.of(
        new IllegalStateException("planned"), new OutOfMemoryError("unable to create a thread"));
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void aFailureIsToldAlsoWhenNoThreadIsToBeHad(Throwable thrown) {
    List<RecoveryCause> heard = new ArrayList<>();
    FailureReport report = new FailureReport("sim0", work -> Thrown.raise(thrown));
    report.listen(heard::add);
    report.open(true);
    report.failed(CAUSE);
    report.failed(CAUSE);
    assertEquals(List.of(CAUSE), heard, "once");
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void aFailureIsToldAlsoWhenItCannotBeLogged(Throwable thrown) throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    Telling.of(TellingTest::apart, () -> Thrown.raise(thrown), () -> heard.add("told"));
    assertEquals("told", heard.take());
  }

  /** In a thread whose end nobody is told of. */
  private static void apart(Runnable work) {
    Thread thread = Thread.ofPlatform().daemon().unstarted(work);
    thread.setUncaughtExceptionHandler((of, thrown) -> {});
    thread.start();
  }
}
