package io.isle.core.drivers.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.driver.Health;
import io.isle.api.driver.Utilization;
import io.isle.core.drivers.session.DeviceLane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupSumsTest {
  private final ContextRoutes routes = new ContextRoutes();
  private final MemoryLedger ledger = new MemoryLedger(1 << 20);
  private final List<GroupHost> ports = new ArrayList<>();
  private final List<Runnable> background = new ArrayList<>();
  private final GroupSums sums = new GroupSums(() -> List.copyOf(ports), background::add);

  private FakeProcess process(long corrected) {
    OwnCompletions completions = new OwnCompletions((tag, status, start, end, busy, why) -> 0);
    FakeProcess process = new FakeProcess(2, completions);
    process.corrected = corrected;
    ports.add(host(new HostPort(process, completions, routes, ledger, () -> {})));
    return process;
  }

  private static GroupHost host(HostPort port) {
    GroupHost host =
        new GroupHost(
            "a",
            it ->
                new DeviceLane(
                    "x0-a",
                    it::isAlive,
                    DeviceLane.Bounds.of(Duration.ofSeconds(60)),
                    cause -> {}));
    host.port = port;
    return host;
  }

  @AfterEach
  void end() {
    ports.forEach(host -> host.lane.abort());
  }

  /** The others have been asked. */
  private void heard() {
    List<Runnable> all = List.copyOf(background);
    background.clear();
    all.forEach(Runnable::run);
  }

  private long corrected() {
    return sums.health(new Health.Reading(40, 5, 1, 0, 0, 0, 0)).eccCorrectable();
  }

  private int percent() {
    return sums.utilization(new Utilization(30, 0, 0, 9, 0, 40, 5, 1), 7, 3).computePercent();
  }

  @Test
  void nobodyIsWaitedForAndWhatWasHeardIsAdded() {
    process(10);
    process(20);
    assertEquals(30, percent());
    assertEquals(30, percent());
    assertEquals(1, background.size(), "they are asked once at a time");
    heard();
    assertEquals(50, percent());
    Utilization all = sums.utilization(new Utilization(95, 0, 0, 9, 0, 40, 5, 1), 7, 3);
    assertEquals(new Utilization(100, 0, 7, 9, 3, 40, 5, 1), all);
  }

  @Test
  void sumsEndAtTheLargestNumberWhateverProcessesSay() {
    for (int i = 0; i < 3; i++) {
      process(Long.MAX_VALUE);
    }
    assertEquals(1, corrected());
    heard();
    assertEquals(Long.MAX_VALUE, corrected());
    ports.clear();
    assertEquals(Long.MAX_VALUE, corrected());
  }

  @Test
  void sensorsAreThoseOfTheDevicesOwnProcess() {
    ports.add(hot());
    var ignored = corrected();
    heard();
    Health.Reading all = sums.health(new Health.Reading(40, 5, 1, 2, 3, 0, 4));
    int most = Integer.MAX_VALUE;
    assertEquals(new Health.Reading(40, 5, 2, 3, most, 7, most), all);
  }

  /** One that claims what would make a device look broken. */
  private GroupHost hot() {
    OwnCompletions completions = new OwnCompletions((tag, status, start, end, busy, why) -> 0);
    FakeProcess process = new FakeProcess(3, completions);
    int most = Integer.MAX_VALUE;
    process.health = new Health.Reading(most, most, 1, 1, most, 7, most);
    return host(new HostPort(process, completions, routes, ledger, () -> {}));
  }

  @Test
  void countersDoNotShrinkWhenAProcessEnds() {
    FakeProcess one = process(10);
    process(20);
    assertEquals(1, corrected());
    heard();
    assertEquals(31, corrected());
    one.die();
    heard();
    assertEquals(31, corrected(), "one that does not answer keeps what it said");
    ports.removeFirst();
    assertEquals(31, corrected());
    assertEquals(31, corrected());
  }
}
