package io.isle.net.xdp.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.net.xdp.host.wire.TileOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Processes of a tile that come and go, by a clock of the test. */
class HostedTileTest {
  private static final Duration LONG_LIFE = Duration.ofSeconds(1);
  private static final TileOrder ORDER =
      new TileOrder(List.of(), null, List.of(), 0, null, List.of(), List.of(), List.of(), Set.of());

  private final List<FakeProcess> processes = new ArrayList<>();
  private final List<Work> waiting = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private long now = 1_000_000;
  private final HostedTile tile =
      new HostedTile(
          "net n, tile 0",
          (name, version, told) -> {
            processes.add(new FakeProcess(processes.size() + 1, version, told));
            return processes.getLast();
          },
          (delay, work) -> waiting.add(new Work(now + delay.toNanos(), work)),
          new Restarts(TileHosts.delays(TileHosts.LONG_LIFE), () -> now),
          () -> events.add("refused"));

  private record Work(long at, Runnable run) {}

  private TileVersion version(String name) {
    return new TileVersion(name, List.of(), () -> events.add(name + " unused"));
  }

  /** A tile that runs, with or without a standby that is ready. */
  private void begin(boolean standby) {
    TileVersion version = version("first");
    tile.want(version, standby);
    version.release();
    tile.open(ORDER);
    process(1).warm();
    if (standby) {
      process(2).warm();
    }
    assertTrue(tile.isRunning());
  }

  private FakeProcess process(int number) {
    assertTrue(processes.size() >= number, "processes: " + processes.size());
    return processes.get(number - 1);
  }

  private void pass(Duration time) {
    now += time.toNanos();
    for (Work work : List.copyOf(waiting)) {
      if (work.at() <= now && waiting.remove(work)) {
        work.run().run();
      }
    }
  }

  @Test
  void theFirstProcessTakesTheTileAndAnotherOneWaits() {
    TileVersion version = version("first");
    tile.want(version, true);
    tile.open(ORDER);
    assertEquals(1, processes.size());
    assertFalse(tile.isRunning());
    assertEquals(OptionalLong.empty(), tile.info().pid());
    assertEquals("the process of the tile starts", tile.info().reason());
    process(1).warm();
    assertTrue(tile.isRunning());
    assertEquals(List.of("start", "open"), process(1).calls);
    assertEquals(OptionalLong.of(1), tile.info().pid());
    assertEquals(OptionalLong.empty(), tile.info().standby());
    process(2).warm();
    assertEquals(OptionalLong.of(2), tile.info().standby());
    assertEquals(List.of("start"), process(2).calls);
    assertEquals(1, tile.info().starts());
    assertEquals("", tile.info().reason());
    assertEquals(List.of("one", "two"), tile.info().sandbox());
    assertEquals(2, processes.size());
  }

  @Test
  void theStandbyTakesOverAtOnceAndIsReplaced() {
    begin(true);
    process(1).end("was ended by signal 9", Duration.ofMillis(1));
    assertTrue(tile.isRunning());
    assertEquals(List.of("start", "open"), process(2).calls);
    assertEquals(OptionalLong.of(2), tile.info().pid());
    assertEquals(2, tile.info().starts());
    assertEquals("process 1 was ended by signal 9", tile.info().reason());
    assertEquals(3, processes.size());
    assertEquals(List.of(), waiting);
  }

  /** The waits are those of the log: none, then 100 ms, doubled up to 10 s. */
  @Test
  void processesThatEndSoonAreStartedLaterAndLater() {
    begin(false);
    List<Integer> waits = List.of(0, 100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000);
    for (int i = 0; i < waits.size(); i++) {
      int number = i + 1;
      process(number).end("failed", Duration.ZERO);
      if (waits.get(i) > 0) {
        assertEquals(number, processes.size());
        pass(Duration.ofMillis(waits.get(i)).minusNanos(1));
        assertEquals(number, processes.size(), "within " + waits.get(i) + " ms");
        pass(Duration.ofNanos(1));
        assertEquals(
            "process " + number + " failed, " + number + " times within short",
            tile.info().reason());
      }
      process(number + 1).warm();
      assertTrue(tile.isRunning());
    }
  }

  @Test
  void aLongLifeEndsTheWaits() {
    begin(false);
    process(1).end("failed", Duration.ZERO);
    process(2).warm();
    process(2).end("failed", Duration.ZERO);
    pass(Duration.ofMillis(100));
    process(3).warm();
    pass(LONG_LIFE);
    process(3).end("failed", LONG_LIFE);
    assertEquals(4, processes.size());
    assertEquals("process 3 failed", tile.info().reason());
  }

  /** The life of a process counts from the time when it has the tile. */
  @Test
  void timeAsAStandbyIsNoLife() {
    begin(true);
    pass(Duration.ofHours(1));
    process(1).end("failed", Duration.ofHours(1));
    process(3).warm();
    process(2).end("failed", Duration.ofHours(1));
    assertFalse(tile.isRunning());
    assertEquals("process 2 failed, 2 times within short", tile.info().reason());
    pass(Duration.ofMillis(100));
    assertTrue(tile.isRunning());
    assertEquals(OptionalLong.of(3), tile.info().pid());
  }

  @Test
  void aStandbyThatFailsLeavesTheTileAlone() {
    begin(true);
    for (int number = 2; number < 5; number++) {
      process(number).end("cannot be started: no memory", Duration.ZERO);
      pass(Duration.ofSeconds(10));
      assertEquals(number + 1, processes.size());
    }
    assertTrue(tile.isRunning());
    assertEquals(List.of("start", "open"), process(1).calls);
    assertEquals("", tile.info().reason());
  }

  @Test
  void aTileIsOpenedAnewWhileAStandbyIsWaitedFor() {
    begin(true);
    process(2).end("failed", Duration.ZERO);
    process(3).end("failed", Duration.ZERO);
    assertEquals(3, processes.size());
    tile.stop();
    assertFalse(tile.isRunning());
    tile.open(ORDER);
    assertTrue(tile.isRunning());
    assertEquals(List.of("start", "open", "close", "open"), process(1).calls);
  }

  @Test
  void withoutAStandbyThereIsOneProcess() {
    begin(false);
    assertEquals(1, processes.size());
    tile.want(process(1).version(), true);
    assertEquals(2, processes.size());
    process(2).warm();
    tile.want(process(1).version(), false);
    assertEquals(List.of("start", "leave"), process(2).calls);
    assertEquals(OptionalLong.empty(), tile.info().standby());
    tile.renew();
    process(3).warm();
    assertEquals(OptionalLong.of(3), tile.info().pid());
    assertEquals(3, processes.size());
  }

  @Test
  void theTileStaysUntilItsNextProcessIsReady() {
    begin(false);
    tile.renew();
    assertTrue(tile.isRunning());
    assertEquals(List.of("start", "open"), process(1).calls);
    process(2).warm();
    assertEquals(List.of("start", "open", "close", "leave"), process(1).calls);
    assertEquals(List.of("start", "open"), process(2).calls);
    process(1).end("exited with code 0", Duration.ofSeconds(1));
    assertTrue(tile.isRunning());
    assertEquals("", tile.info().reason());
    assertEquals(2, tile.info().starts());
  }

  @Test
  void processesOfAnotherVersionReplaceAllOthers() {
    begin(true);
    TileVersion second = version("second");
    tile.want(second, true);
    second.release();
    assertEquals(List.of("start", "leave"), process(2).calls);
    assertTrue(tile.isRunning());
    process(3).warm();
    assertEquals(List.of("start", "open", "close", "leave"), process(1).calls);
    assertEquals(OptionalLong.of(3), tile.info().pid());
    assertEquals(4, processes.size());
    assertEquals(List.of(), events);
    process(2).end("exited with code 0", Duration.ZERO);
    process(1).end("exited with code 0", Duration.ZERO);
    assertEquals(List.of("first unused"), events);
  }

  @Test
  void aRefusalIsToldAndNotTriedAgain() {
    begin(true);
    tile.stop();
    process(1).refusal = new NetException(Errno.EINVAL, "umem: too small");
    tile.open(ORDER);
    assertEquals("umem: too small", tile.refusal());
    assertEquals(List.of("refused"), events);
    tile.renew();
    assertFalse(tile.isRunning());
    tile.open(ORDER);
    assertTrue(tile.isRunning());
    assertEquals("", tile.refusal());
  }

  @Test
  void aProcessThatDoesNotAnswerIsKilledAndReplaced() {
    begin(true);
    tile.stop();
    process(1).refusal = new NetException(Errno.ETIMEDOUT, "no answer");
    tile.open(ORDER);
    assertEquals(List.of("start", "open", "close", "kill"), process(1).calls);
    assertEquals("", tile.refusal());
    assertFalse(tile.isRunning());
    process(1).end("was ended by signal 9", Duration.ofSeconds(1));
    assertTrue(tile.isRunning());
    assertEquals(List.of("start", "open"), process(2).calls);
    assertEquals(List.of(), events);
  }

  @Test
  void theEndEndsAllProcessesAndStartsNone() {
    begin(true);
    tile.close();
    assertEquals(List.of("start", "open", "close", "leave", "join"), process(1).calls);
    assertEquals(List.of("start", "leave", "join"), process(2).calls);
    process(1).end("exited with code 0", Duration.ZERO);
    process(2).end("exited with code 0", Duration.ZERO);
    assertEquals(List.of("first unused"), events);
    tile.want(version("second"), true);
    tile.renew();
    pass(Duration.ofHours(1));
    tile.close();
    assertEquals(2, processes.size());
  }
}
