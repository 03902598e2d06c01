package io.isle.inference.heuristics;

import static io.isle.inference.heuristics.IoScheduler.EXPIRED;
import static io.isle.inference.heuristics.MemoryMigration.EVICT;
import static io.isle.inference.heuristics.MemoryMigration.KEEP;
import static io.isle.inference.heuristics.MemoryMigration.TO_DEVICE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of the accelerator framework, 45.6b.6, and the checks that none may bypass. */
class RulesTest {
  private final PagePrefetch prefetch = new PagePrefetch();
  private final IoScheduler scheduler = new IoScheduler();
  private final FmaAnomaly anomaly = new FmaAnomaly();
  private final MemoryMigration migration = new MemoryMigration();
  private final PowerBudget power = new PowerBudget();

  @Test
  void readaheadIsTheNextFourPages() {
    assertArrayEquals(new int[] {1, 2, 3, 4}, prefetched(100, 0x7FFF_FFFF, 100));
  }

  @Test
  void readaheadStaysInTheAddressSpace() {
    assertArrayEquals(new int[] {1, 2, 0, 0}, prefetched(2, 0x7FFF_FFFF, 100));
  }

  @Test
  void readaheadLeavesOutPagesThatMayNotBeRead() {
    assertArrayEquals(new int[] {0, 2, 0, 4}, prefetched(100, 0b1010, 100));
  }

  @Test
  void readaheadKeepsToTheMemoryLimit() {
    assertArrayEquals(new int[] {1, 2, 3, 0}, prefetched(100, 0x7FFF_FFFF, 3));
    assertArrayEquals(new int[] {0, 0, 0, 0}, prefetched(100, 0x7FFF_FFFF, 0));
  }

  @Test
  void aModelMayReadBackwardsButNoPageTwice() {
    int[] features = pages(0, 0, 2);
    features[PagePrefetch.SPACE_BEFORE] = 31;
    features[PagePrefetch.USABLE_BEFORE] = 1 << 30 | 1;
    int[] out = {-31, -31, -2, -1};
    prefetch.check(features, out);
    assertArrayEquals(new int[] {-31, 0, 0, -1}, out);
  }

  @Test
  void readaheadIsScoredByHits() {
    assertEquals(1000, prefetch.score(null, new int[4], new int[4]));
    assertEquals(0, prefetch.score(null, new int[] {1, 2, 3, 4}, new int[4]));
    assertEquals(500, prefetch.score(null, new int[] {1, 2, 3, 4}, new int[] {3, 4, 5, 6}));
    assertEquals(666, prefetch.score(null, new int[] {1, 0, 0, 0}, new int[] {1, 2, 0, 0}));
  }

  @Test
  void requestsGoUpwardsFromTheLastAddress() {
    int near = priority(5000, 0, 0, 1000);
    int far = priority(1 << 28, 0, 0, 1000);
    int below = priority(999, 0, 0, 1000);
    assertTrue(near > far && far > below && below >= 0, near + " " + far + " " + below);
    assertTrue(near < EXPIRED);
  }

  @ParameterizedTest
  @CsvSource({"0, 49, false", "0, 50, true", "1, 499, false", "1, 500, true"})
  void aPassedDeadlineGoesFirst(int write, int waited, boolean first) {
    assertEquals(first, priority(0, write, waited, 1) >= EXPIRED);
    for (int answer : new int[] {0, EXPIRED - 1, EXPIRED, IoScheduler.MOST}) {
      int[] out = {answer};
      scheduler.check(request(0, write, waited, 1), out);
      assertEquals(first, out[0] >= EXPIRED, "answer " + answer);
    }
  }

  @Test
  void theLongestOverdueIsTheFirst() {
    assertTrue(priority(0, 0, 70, 1) > priority(9, 0, 60, 1));
    assertEquals(IoScheduler.MOST, priority(0, 0, Integer.MAX_VALUE, 1));
  }

  @Test
  void prioritiesAreScoredByTheirDistance() {
    assertEquals(1000, scheduler.score(null, new int[] {7}, new int[] {7}));
    assertEquals(500, scheduler.score(null, new int[] {0}, new int[] {EXPIRED / 8}));
    assertEquals(0, scheduler.score(null, new int[] {0}, new int[] {EXPIRED / 4}));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 100, 1",
    "2, 20, 4",
    "3, 100, 3",
    "4, 50, 2",
    "5, 10, 2",
    "6, 100, 3",
    "7, 95, 2"
  })
  void aMetricAboveItsLimitIsAnAlert(int metric, int limit, int failure) {
    int[] features = new int[9];
    features[1] = 1_000_000;
    features[8] = 1_000_000;
    features[metric] = limit;
    int[] out = {900, 3};
    anomaly.heuristic(features, out);
    assertArrayEquals(new int[] {0, 0}, out, "the limit itself is well");
    features[metric]++;
    anomaly.heuristic(features, out);
    assertArrayEquals(new int[] {1000, failure}, out);
    int[] silent = {0, 0};
    anomaly.check(features, silent);
    assertArrayEquals(new int[] {1000, failure}, silent, "no model silences a limit");
    int[] other = {500, 4};
    anomaly.check(features, other);
    assertArrayEquals(new int[] {1000, 4}, other, "an alert may name another failure");
  }

  @Test
  void aModelMayAlertBelowTheLimits() {
    int[] out = {700, 1};
    anomaly.check(new int[9], out);
    assertArrayEquals(new int[] {700, 1}, out);
  }

  @Test
  void alertsAreScoredBeforeTheirClasses() {
    int[] memory = {1000, 1};
    int[] bus = {600, 3};
    int[] nothing = {0, 0};
    assertEquals(600, anomaly.score(null, bus, memory));
    assertEquals(0, anomaly.score(null, nothing, memory));
    assertEquals(0, anomaly.score(null, memory, nothing));
    assertEquals(1000, anomaly.score(null, new int[] {499, 2}, nothing));
  }

  @ParameterizedTest
  @CsvSource({
    // device, processor, on the device, expected
    "5, 2, 0, 1",
    "4, 2, 0, 0",
    "1, 0, 0, 1",
    "0, 0, 0, 0",
    "2, 5, 1, 2",
    "2, 4, 1, 0",
    "9, 0, 1, 0",
    "2147483647, 1073741823, 0, 1",
    "2147483647, 1073741824, 0, 0"
  })
  void pagesGoWhereTheyAreUsed(int device, int processor, int onDevice, int expected) {
    assertEquals(expected, moved(page(device, processor, onDevice)));
  }

  @Test
  void noPageMovesThatMayNotOrDoesNotFit() {
    int[] pinned = page(9, 0, 0);
    pinned[MemoryMigration.PINNED] = 1;
    assertEquals(KEEP, moved(pinned));
    int[] large = page(9, 0, 0);
    large[MemoryMigration.DEVICE_FREE] = 3;
    assertEquals(KEEP, moved(large));
    assertEquals(KEEP, checked(page(0, 0, 1), TO_DEVICE));
    assertEquals(KEEP, checked(page(0, 0, 0), EVICT));
    assertEquals(EVICT, checked(page(0, 0, 1), EVICT));
    assertEquals(KEEP, checked(page(0, 0, 1), 77));
  }

  @Test
  void movingWronglyIsWorseThanStaying() {
    assertEquals(1000, migration.score(null, new int[] {EVICT}, new int[] {EVICT}));
    assertEquals(300, migration.score(null, new int[] {KEEP}, new int[] {EVICT}));
    assertEquals(0, migration.score(null, new int[] {EVICT}, new int[] {KEEP}));
  }

  @Test
  void powerIsSharedEqually() {
    int[] features = domains(1000, 3, 900);
    int[] out = {7, 7, 7, 7, 7, 7, 7, 7};
    power.heuristic(features, out);
    assertArrayEquals(new int[] {333, 333, 333, 0, 0, 0, 0, 0}, out);
    features[PowerBudget.LIMITS + 1] = 100;
    power.heuristic(features, out);
    assertArrayEquals(new int[] {333, 100, 333, 0, 0, 0, 0, 0}, out);
  }

  @Test
  void noAnswerGivesMoreThanThereIs() {
    int[] out = {1_000_000_000, 1_000_000_000, 5, 5, 5, 5, 5, 5};
    power.check(domains(1000, 2, 1_000_000_000), out);
    assertArrayEquals(new int[] {500, 500, 0, 0, 0, 0, 0, 0}, out);
  }

  @Test
  void powerIsScoredByItsUse() {
    int[] out = {500, 500, 0, 0, 0, 0, 0, 0};
    assertEquals(750, power.score(null, out, new int[] {750, 250, 0, 0, 0, 0, 0, 0}));
    assertEquals(1000, power.score(null, out, new int[8]));
  }

  private int[] prefetched(int space, int usable, int memory) {
    int[] out = new int[PagePrefetch.PAGES];
    prefetch.heuristic(pages(space, usable, memory), out);
    return out;
  }

  private int[] pages(int space, int usable, int memory) {
    int[] features = new int[prefetch.spec().features().size()];
    features[PagePrefetch.SPACE_AFTER] = space;
    features[PagePrefetch.USABLE_AFTER] = usable;
    features[PagePrefetch.MEMORY_LEFT] = memory;
    return features;
  }

  private int priority(int address, int write, int waited, int last) {
    int[] out = new int[1];
    scheduler.heuristic(request(address, write, waited, last), out);
    return out[0];
  }

  private static int[] request(int address, int write, int waited, int last) {
    int[] features = new int[10];
    features[IoScheduler.ADDRESS] = address;
    features[IoScheduler.WRITE] = write;
    features[IoScheduler.WAITED] = waited;
    features[IoScheduler.LAST_ADDRESS] = last;
    return features;
  }

  private static int[] page(int device, int processor, int onDevice) {
    return new int[] {device, processor, 0, 4, 0, onDevice, 0, 4};
  }

  private int moved(int[] features) {
    int[] out = new int[1];
    migration.heuristic(features, out);
    return out[0];
  }

  private int checked(int[] features, int answer) {
    int[] out = {answer};
    migration.check(features, out);
    return out[0];
  }

  private int[] domains(int total, int count, int limit) {
    int[] features = new int[power.spec().features().size()];
    features[PowerBudget.TOTAL] = total;
    features[PowerBudget.COUNT] = count;
    java.util.Arrays.fill(features, PowerBudget.LIMITS, features.length, limit);
    return features;
  }
}
