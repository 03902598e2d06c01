package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ContextStateTest {
  private static final int REFUSALS = 200_000;

  private static final class Nameless extends ContextState {
    @Override
    String name() {
      return "test";
    }

    @Override
    String lostWhy() {
      return "it was not";
    }
  }

  @Test
  void aRefusalDuringARecoveryNeverSpeaksOfALoss() throws InterruptedException {
    ContextState state = new Nameless();
    AtomicBoolean over = new AtomicBoolean();
    Thread recoveries =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    state.opened(null);
                    state.interrupt();
                  }
                });
    try {
      for (int i = 0; i < REFUSALS; i++) {
        AccelException refused = assertThrows(AccelException.class, state::device);
        assertEquals(Errno.EINTR, refused.code(), refused.getMessage());
      }
    } finally {
      over.set(true);
      recoveries.join();
    }
  }
}
