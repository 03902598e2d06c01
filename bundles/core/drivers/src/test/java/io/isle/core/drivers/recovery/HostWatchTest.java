package io.isle.core.drivers.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.device.HostFault;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.core.drivers.driver.DriverProcess;
import io.isle.core.drivers.driver.OpenedDevice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class HostWatchTest {
  private static final long MS = 1_000_000;

  private long now;
  private final HostWatch watch = new HostWatch(() -> now, () -> Duration.ofMillis(1000));
  private final Host host = new Host();

  /** A host that stands or moves as a test says. */
  private static final class Host implements OpenedDevice, DriverProcess {
    private final List<RecoveryCause> abandoned = new ArrayList<>();
    private long heartbeat;
    private boolean waiting;
    private boolean called;
    private Throwable thrown;

    @Override
    public void tellLog() {
      switch (thrown) {
        case null -> {}
        case RuntimeException e -> throw e;
        default -> throw new AssertionError(thrown);
      }
    }

    @Override
    public AccelDevice device() {
      throw new AssertionError("not asked");
    }

    @Override
    public Optional<DriverProcess> process() {
      return Optional.of(this);
    }

    @Override
    public long pid() {
      throw new AssertionError("not asked");
    }

    @Override
    public boolean runsKernels() {
      throw new AssertionError("not asked");
    }

    @Override
    public List<String> sandbox() {
      throw new AssertionError("not asked");
    }

    @Override
    public void injectFault(HostFault fault) {
      throw new AssertionError("not asked");
    }

    @Override
    public List<String> services() {
      return List.of();
    }

    @Override
    public List<String> interfaces() {
      return List.of();
    }

    @Override
    public void end(boolean orderly) {}

    @Override
    public void release() {}

    @Override
    public long heartbeat() {
      return heartbeat;
    }

    @Override
    public boolean requestsWait() {
      return waiting;
    }

    @Override
    public boolean probe() {
      return called;
    }

    @Override
    public void abandon(RecoveryCause cause) {
      abandoned.add(cause);
    }
  }

  private void look(long ms) {
    now += ms * MS;
    watch.look();
  }

  /** Each in any order: the watch's map has none. */
  @Test
  void whatOneThrowsKeepsNoOtherFromBeingLookedAt() {
    List<Host> others = new ArrayList<>();
    for (Throwable thrown :
        List.of(new IllegalStateException("planned"), new AssertionError("planned"))) {
      Host broken = new Host();
      broken.thrown = thrown;
      watch.add(broken);
      for (int i = 0; i < 8; i++) {
        Host other = new Host();
        other.waiting = true;
        others.add(other);
        watch.add(other);
      }
    }
    now += 1001 * MS;
    watch.look();
    others.forEach(other -> assertEquals(1, other.abandoned.size()));
  }

  @Test
  void aHostWithNothingToDoMayRest() {
    watch.add(host);
    look(10_000);
    look(10_000);
    assertEquals(List.of(), host.abandoned);
  }

  @Test
  void requestsThatLieTooLongAreAHang() {
    watch.add(host);
    host.waiting = true;
    look(600);
    look(600);
    assertEquals(1, host.abandoned.size());
    assertEquals(RecoveryCause.Kind.HANG, host.abandoned.getFirst().kind());
    assertEquals(
        "the driver host made no progress for 1200 ms and did not read its requests",
        host.abandoned.getFirst().text());
  }

  @Test
  void aDataCallThatDoesNotReturnIsAHang() {
    watch.add(host);
    host.heartbeat = 5;
    look(10);
    look(1001);
    assertEquals(1, host.abandoned.size());
  }

  @Test
  void aControlCallMayTakeLongWhileTheHostGivesSignsOfLife() {
    watch.add(host);
    host.called = true;
    for (int i = 0; i < 10; i++) {
      host.heartbeat += 2;
      look(900);
    }
    assertEquals(List.of(), host.abandoned);
    look(1001);
    assertEquals(
        "the driver host made no progress for 1001 ms with work or a control call to do",
        host.abandoned.getFirst().text());
  }

  @Test
  void oneThatIsNotWatchedAnyMoreIsNotAsked() {
    watch.add(host);
    host.waiting = true;
    watch.remove(host);
    look(5000);
    assertEquals(List.of(), host.abandoned);
  }

  @Property(tries = 500)
  void oneThatMovesInTimeIsLeftAlone(
      @ForAll @Size(max = 50) List<@IntRange(min = 1, max = 900) Integer> steps) {
    now = 0;
    Host busy = new Host();
    HostWatch own = new HostWatch(() -> now, () -> Duration.ofMillis(1000));
    own.add(busy);
    busy.waiting = true;
    for (int step : steps) {
      now += step * MS;
      busy.heartbeat++;
      own.look();
    }
    assertEquals(List.of(), busy.abandoned);
  }
}
