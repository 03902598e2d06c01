package io.isle.core.drivers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.Drivers.DriverStatus;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.driver.OpenedDevice;
import io.isle.core.drivers.driver.Standby;
import io.isle.core.drivers.driver.Versions;
import io.isle.core.drivers.supervision.Rig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Drivers that come, go and come back, against a registry that says what it is told. */
class DriverManagerTest {
  private static final Duration NEVER = Duration.ofDays(1);
  private static final Duration SOON = Duration.ofMillis(1);
  private static final Object KEY = "bundle 7";

  private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
  private DriverManager manager = manager(NEVER, NEVER);

  /** The driver's name that is not free. */
  private volatile String taken = "";

  /** The driver's name that does not become free. */
  private volatile String stuck = "";

  private DriverManager manager(Duration back, Duration ask) {
    return new DriverManager(
        new Registry(), Rig.QUICK, new DriverManager.Delays(back, ask), ended -> {});
  }

  @AfterEach
  void close() {
    manager.close();
  }

  private void add(Object key, DriverHandle driver) {
    manager.add(
        key, driver.source(), () -> driver, () -> calls.add("gone " + driver.info().version()));
  }

  private String next() throws InterruptedException {
    String call = calls.poll(60, TimeUnit.SECONDS);
    return call == null ? "nothing in a minute" : call;
  }

  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, AssertionError.class})
  void theNextDriverIsBoundWhateverTheLastOneThrew(Class<? extends Throwable> thrown)
      throws Exception {
    manager.add(
        "broken",
        "test",
        () -> {
          if (thrown == AssertionError.class) {
            throw new AssertionError("planned");
          }
          throw new IllegalStateException("planned");
        },
        () -> {});
    add(KEY, new Named("x", "1"));
    assertEquals("bind x 1", next());
  }

  @Test
  void aDriverThatComesBackInTimeTakesOver() throws Exception {
    add(KEY, new Named("x", "1"));
    assertEquals("bind x 1", next());
    manager.awaitReturn(KEY);
    add(KEY, new Named("x", "2"));
    assertEquals("succeed x 2", next());
    assertEquals("settle", next());
    assertEquals("gone 1", next());
    DriverStatus status = manager.list().getFirst();
    assertEquals("2", status.info().version());
    assertEquals(List.of(), List.copyOf(calls));
  }

  @Test
  void aDriverThatDoesNotComeBackGoes() throws Exception {
    manager.close();
    manager = manager(SOON, NEVER);
    add(KEY, new Named("x", "1"));
    assertEquals("bind x 1", next());
    manager.awaitReturn(KEY);
    assertEquals("unbind x", next());
    assertEquals("gone 1", next());
    assertEquals(List.of(), manager.list());
  }

  @Test
  void oneThatCameBackIsNotTakenAwayByTheWaitForAnEarlierStop() throws Exception {
    manager.close();
    manager = manager(Duration.ofMillis(50), NEVER);
    add(KEY, new Named("x", "1"));
    manager.awaitReturn(KEY);
    add(KEY, new Named("x", "2"));
    add("other", new Named("y", "1"));
    manager.awaitReturn("other");
    List<String> expected =
        List.of("bind x 1", "succeed x 2", "bind y 1", "settle", "gone 1", "unbind y", "gone 1");
    for (int i = 0; i < expected.size(); i++) {
      String call = next();
      assertTrue(expected.contains(call), call);
    }
    assertEquals("x", manager.list().getFirst().info().name());
  }

  @Test
  void anUpdateToAnotherDriverIsANewDriver() throws Exception {
    add(KEY, new Named("x", "1"));
    add(KEY, new Named("y", "2"));
    assertEquals("bind x 1", next());
    assertEquals("unbind x", next());
    assertEquals("bind y 2", next());
  }

  @Test
  void whoWasRefusedBecauseOfADriverThatAnUpdateTookAwayIsBound() throws Exception {
    add(KEY, new Named("x", "1"));
    assertEquals("bind x 1", next());
    taken = "x";
    add("other", new Named("x", "7"));
    assertEquals("there is one already", manager.list().getLast().error());
    taken = "";
    add(KEY, new Named("y", "2"));
    assertEquals("unbind x", next());
    assertEquals("bind y 2", next());
    assertEquals("bind x 7", next());
  }

  @Test
  void anUpdateThatIsRefusedEndsTheDriver() throws Exception {
    add(KEY, new Named("x", "1"));
    manager.add(
        KEY,
        "test",
        () -> {
          throw new DriverException(Errno.EINVAL, "this is no driver");
        },
        () -> {});
    assertEquals("bind x 1", next());
    assertEquals("unbind x", next());
    assertEquals("this is no driver", manager.list().getFirst().error());
  }

  @Test
  void aDriverThatFindsOtherDevicesThanItSaidEarlierTakesOverFromItself() throws Exception {
    manager.close();
    manager = manager(NEVER, SOON);
    Named now = new Named("x", "1b");
    Named believed = new Named("x", "1");
    believed.changed = Optional.of(now);
    add(KEY, believed);
    assertEquals("bind x 1", next());
    assertEquals("succeed x 1b", next());
  }

  @Test
  void aDriverThatWasBoundLateIsAskedForItsDevicesToo() throws Exception {
    manager.close();
    manager = manager(NEVER, SOON);
    add(KEY, new Named("x", "1"));
    assertEquals("bind x 1", next());
    taken = "x";
    Named waiting = new Named("x", "7");
    waiting.changed = Optional.of(new Named("x", "7b"));
    add("other", waiting);
    assertEquals("there is one already", manager.list().getLast().error());
    taken = "";
    manager.remove(KEY);
    assertEquals(
        List.of("unbind x", "gone 1", "bind x 7", "succeed x 7b"),
        List.of(next(), next(), next(), next()));
  }

  @Test
  void aDriverThatFailsToLeaveTheRegistryIsGoneAllTheSame() throws Exception {
    stuck = "x";
    add(KEY, new Named("x", "1"));
    add("second", new Named("y", "2"));
    add("third", new Named("z", "3"));
    manager.remove(KEY);
    stuck = "y";
    manager.close();
    manager = manager(NEVER, NEVER);
    assertEquals(
        List.of("bind x 1", "bind y 2", "bind z 3", "gone 1", "gone 2", "unbind z", "gone 3"),
        List.copyOf(calls));
  }

  @Test
  void aDriverThatCannotBeLookedAtByADefectIsListedAsRefused() {
    manager.add(
        KEY,
        "test",
        () -> {
          throw new IllegalStateException("a defect");
        },
        () -> {});
    assertEquals(
        "the driver could not be bound: java.lang.IllegalStateException: a defect",
        manager.list().getFirst().error());
  }

  @Test
  void whatIsWatchedIsActedOnWhenItChanges() throws Exception {
    manager.close();
    manager = manager(NEVER, SOON);
    AtomicReference<String> state = new AtomicReference<>("as before");
    manager.whenChanged(state::get, () -> calls.add("changed from " + state.get()));
    state.set("this");
    assertEquals("changed from this", next());
    state.set("that");
    assertEquals("changed from that", next());
  }

  private static final class Named implements DriverHandle {
    private final DriverInfo info;
    private volatile Optional<DriverHandle> changed = Optional.empty();
    private final Versions versions =
        new Versions() {
          @Override
          public void proven() {}

          @Override
          public Optional<DriverHandle> lastGood() {
            return Optional.empty();
          }

          @Override
          public Optional<DriverHandle> changed() {
            return changed;
          }
        };

    Named(String name, String version) {
      this.info = new DriverInfo(name, version, DriverInfo.KABI, List.of(), false);
    }

    @Override
    public DriverInfo info() {
      return info;
    }

    @Override
    public List<DeviceSeed> seeds() {
      return List.of();
    }

    @Override
    public String source() {
      return "test " + info.version();
    }

    @Override
    public String missing() {
      return "";
    }

    @Override
    public String note() {
      return "";
    }

    @Override
    public Versions versions() {
      return versions;
    }

    @Override
    public Optional<Standby> standby(
        DeviceRegistry.DeviceSpec spec, DevicePort.Attachment attachment) {
      return Optional.empty();
    }

    @Override
    public OpenedDevice open(OpenRequest request) {
      throw new DriverException(Errno.EIO, "the test's driver opens nothing");
    }
  }

  private final class Registry implements DeviceRegistry {
    @Override
    public Binding bind(DriverInfo driver, List<DeviceSeed> seeds, DeviceControl control) {
      if (driver.name().equals(taken)) {
        throw new DriverException(Errno.EEXIST, "there is one already");
      }
      calls.add("bind " + driver.name() + " " + driver.version());
      return new Binding() {
        @Override
        public void report(DeviceReport report) {}

        @Override
        public int epoch(String deviceId) {
          return 0;
        }

        @Override
        public void succeed(DriverInfo next, List<DeviceSeed> itsSeeds) {
          calls.add("succeed " + next.name() + " " + next.version());
        }

        @Override
        public void close() {
          if (driver.name().equals(stuck)) {
            throw new IllegalStateException("a defect");
          }
          calls.add("unbind " + driver.name());
        }
      };
    }

    @Override
    public void settle() {
      calls.add("settle");
    }
  }
}
