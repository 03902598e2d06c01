package io.isle.core.drivers.nativecode.host;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class HostProcessTest {
  @ParameterizedTest
  @MethodSource("io.isle.core.testing.Thrown#kinds")
  void aHostThatCannotBeWatchedIsEndedAndToldOf(Throwable thrown) throws IOException {
    HostThread thread = HostThread.start(new ProcessBuilder("sleep", "600"));
    Process process = thread.process();
    HostProcess host = new HostProcess(thread, null);
    AtomicBoolean told = new AtomicBoolean();
    host.watch(
        () -> {
          switch (thrown) {
            case Error error -> throw error;
            case RuntimeException exception -> throw exception;
            default -> throw new AssertionError(thrown);
          }
        },
        () -> told.set(true));
    assertTrue(told.get());
    assertTrue(host.hasEnded());
    assertFalse(process.isAlive());
    thread.watch(() -> {});
  }
}
