package io.isle.core.drivers.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.device.DeviceState;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryCause.Kind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Any history of a device, in simulated time, against what was promised about it. */
class SupervisionPropertyTest {
  private static final long SECOND = 1_000_000_000L;

  /** What a test remembers of a device, in place of the machine's own books. */
  private static final class Model {
    private final Supervision.Limits limits;
    private final Supervision machine;
    private final Deque<Long> breaches = new ArrayDeque<>();
    private long now;
    private int failuresInARow;
    private boolean suspended;

    Model(Supervision.Limits limits, long seed) {
      this.limits = limits;
      this.machine = new Supervision(limits, new Random(seed));
    }

    void step(int event, int detail) {
      now += detail * SECOND / 4;
      switch (event) {
        case 0 -> begin(detail % 2 == 0);
        case 1 -> opened();
        case 2, 3 -> lost(Kind.values()[detail % Kind.values().length]);
        case 4, 5 -> failed(Kind.values()[detail % Kind.values().length], detail % 7 == 0);
        case 6 -> suspend();
        case 7 -> resume();
        default -> closed();
      }
    }

    private void begin(boolean forgiven) {
      machine.begin(forgiven);
      failuresInARow = 0;
      if (forgiven) {
        breaches.clear();
      }
      assertEquals(DeviceState.RECOVERING, machine.state());
    }

    private void opened() {
      if (machine.state() != DeviceState.RECOVERING) {
        return;
      }
      machine.opened();
      failuresInARow = 0;
      assertEquals(suspended ? DeviceState.SUSPENDED : DeviceState.ACTIVE, machine.state());
    }

    private void lost(Kind kind) {
      if (machine.state() != DeviceState.ACTIVE && machine.state() != DeviceState.SUSPENDED) {
        return;
      }
      boolean tooOften = breached(kind);
      Supervision.Next next = machine.lost(now, new RecoveryCause(kind, ""));
      if (tooOften) {
        assertEquals(new Supervision.Next.GiveUp(), next);
        assertEquals(DeviceState.QUARANTINED, machine.state());
      } else {
        assertEquals(new Supervision.Next.Open(0), next, "at once, however often it happened");
        assertEquals(DeviceState.RECOVERING, machine.state());
      }
    }

    private void failed(Kind kind, boolean lasting) {
      if (machine.state() != DeviceState.RECOVERING) {
        return;
      }
      failuresInARow++;
      boolean tooOften = breached(kind);
      Supervision.Next next = machine.attemptFailed(now, new RecoveryCause(kind, ""), lasting);
      assertEquals(failuresInARow, machine.failures());
      if (tooOften) {
        assertEquals(DeviceState.QUARANTINED, machine.state());
      } else if (lasting || failuresInARow >= limits.attempts()) {
        assertEquals(DeviceState.FAILED, machine.state());
        assertEquals(new Supervision.Next.GiveUp(), next);
      } else {
        long delay = ((Supervision.Next.Open) next).delayNs();
        long step =
            Math.min(
                limits.longestDelay().toNanos(),
                limits.firstDelay().toNanos() << Math.min(30, failuresInARow - 1));
        assertTrue(delay >= step / 2 && delay <= step, delay + " of " + step);
        assertEquals(DeviceState.RECOVERING, machine.state());
      }
    }

    private boolean breached(Kind kind) {
      breaches.removeIf(at -> now - at > limits.window().toNanos());
      if (kind == Kind.PROTOCOL) {
        breaches.add(now);
        return breaches.size() >= limits.breaches();
      }
      return false;
    }

    private void suspend() {
      DeviceState before = machine.state();
      machine.suspend();
      suspended = true;
      assertEquals(before == DeviceState.ACTIVE ? DeviceState.SUSPENDED : before, machine.state());
    }

    private void resume() {
      DeviceState before = machine.state();
      machine.resume();
      suspended = false;
      assertEquals(before == DeviceState.SUSPENDED ? DeviceState.ACTIVE : before, machine.state());
    }

    private void closed() {
      machine.closed(DeviceState.DISABLED);
      suspended = false;
      failuresInARow = 0;
      assertEquals(DeviceState.DISABLED, machine.state());
    }
  }

  @Property(tries = 1000)
  void everyHistoryKeepsWhatWasPromised(
      @ForAll @Size(max = 200) List<@IntRange(max = 100_000) Integer> history,
      @ForAll @IntRange(min = 1, max = 6) int attempts,
      @ForAll @IntRange(min = 1, max = 4) int breaches,
      @ForAll long seed) {
    Supervision.Limits limits =
        new Supervision.Limits(
            attempts,
            Duration.ofMillis(50),
            Duration.ofSeconds(5),
            breaches,
            Duration.ofMinutes(10));
    Model model = new Model(limits, seed);
    for (int number : history) {
      model.step(number % 9, number / 9 % 997);
      assertEquals(model.suspended, model.machine.suspended());
    }
  }

  @Property(tries = 200)
  void noNumberOfRecoveriesThatSucceedMakesADeviceFail(
      @ForAll @IntRange(min = 1, max = 500) int crashes) {
    Supervision machine =
        new Supervision(
            new Supervision.Limits(
                2, Duration.ofMillis(1), Duration.ofSeconds(1), 1, Duration.ofHours(1)),
            new Random(1));
    machine.begin(false);
    machine.opened();
    for (int i = 0; i < crashes; i++) {
      assertEquals(
          new Supervision.Next.Open(0), machine.lost(i, new RecoveryCause(Kind.CRASH, "")));
      Supervision.Next again = machine.attemptFailed(i, new RecoveryCause(Kind.CRASH, ""), false);
      assertFalse(again instanceof Supervision.Next.GiveUp);
      machine.opened();
    }
    assertEquals(DeviceState.ACTIVE, machine.state());
  }
}
