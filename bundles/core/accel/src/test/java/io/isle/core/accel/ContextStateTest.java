package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import java.util.Optional;
import java.util.Set;
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

  private static final OpenDevice DEVICE =
      new OpenDevice(
          null,
          1,
          null,
          null,
          Optional.empty(),
          Set.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  @Test
  void whatWasClosedBeforeItOpenedStaysClosed() {
    ContextState state = new Nameless();
    assertEquals(ContextState.State.NEW, state.close().before());
    assertFalse(state.opened(DEVICE));
    assertEquals(-Errno.ECLOSED, state.stateCode());
    assertEquals(Optional.empty(), state.bound());
  }

  @Test
  void aRefusalDuringARecoveryNeverSpeaksOfALoss() throws InterruptedException {
    ContextState state = new Nameless();
    assertTrue(state.opened(DEVICE));
    state.interrupt();
    AtomicBoolean over = new AtomicBoolean();
    Thread recoveries =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    boolean ignored = state.bind(DEVICE);
                    state.resume();
                    state.interrupt();
                  }
                });
    try {
      for (int refusals = 0; refusals < REFUSALS; ) {
        try {
          assertEquals(DEVICE, state.device());
        } catch (AccelException refused) {
          assertEquals(Errno.EINTR, refused.code(), refused.getMessage());
          refusals++;
        }
      }
    } finally {
      over.set(true);
      recoveries.join();
    }
  }
}
