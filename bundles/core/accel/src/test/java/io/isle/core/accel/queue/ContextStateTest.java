package io.isle.core.accel.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.core.accel.FakeDevice;
import io.isle.core.accel.device.OpenDevice;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class ContextStateTest {
  private static final int REFUSALS = 200_000;

  private static final class Nameless extends ContextState {
    @Override
    protected String name() {
      return "test";
    }

    @Override
    protected String lostWhy() {
      return "it was not";
    }
  }

  private static final OpenDevice DEVICE = OpenDevice.asked(new FakeDevice() {}, 1, null);

  @Test
  void whatWasClosedBeforeItOpenedStaysClosed() {
    ContextState state = new Nameless();
    assertEquals(ContextState.State.NEW, state.close().before());
    assertFalse(state.opened(DEVICE));
    assertEquals(-Errno.ECLOSED, state.stateCode());
    assertEquals(Optional.empty(), state.bound());
  }

  /** Brings a context there, as a device does that comes, goes and stays away. */
  private static ContextState in(ContextState.State wanted) {
    ContextState state = new Nameless();
    switch (wanted) {
      case NEW -> {}
      case OPEN -> assertTrue(state.opened(DEVICE));
      case INTERRUPTED -> {
        assertTrue(state.opened(DEVICE));
        state.interrupt();
      }
      case LOST -> {
        assertTrue(state.opened(DEVICE));
        state.lose();
      }
      case CLOSED -> {
        assertTrue(state.opened(DEVICE));
        assertEquals(ContextState.State.OPEN, state.close().before());
      }
    }
    return state;
  }

  /** What its tenant sees of it, and what it refuses work with. */
  @ParameterizedTest
  @EnumSource
  void eachStateHasItsNameAndCode(ContextState.State wanted) {
    ContextState state = in(wanted);
    assertEquals(wanted, state.state());
    boolean open = wanted == ContextState.State.OPEN;
    assertEquals(open, state.usable());
    assertEquals(open, state.bound().isPresent());
    String text =
        switch (wanted) {
          case NEW, OPEN -> "open";
          case INTERRUPTED -> "interrupted";
          case LOST -> "lost";
          case CLOSED -> "closed";
        };
    int code =
        switch (wanted) {
          case OPEN -> 0;
          case NEW, INTERRUPTED -> Errno.EINTR;
          case LOST -> Errno.ENODEV;
          case CLOSED -> Errno.ECLOSED;
        };
    assertEquals(text, wanted.text());
    assertEquals(-code, state.stateCode());
    if (open) {
      state.checkUsable();
    } else {
      assertEquals(code, assertThrows(AccelException.class, state::checkUsable).code());
    }
    assertEquals(
        wanted == ContextState.State.LOST || wanted == ContextState.State.CLOSED, state.over());
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
