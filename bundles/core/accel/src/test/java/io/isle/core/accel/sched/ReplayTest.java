package io.isle.core.accel.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** A journal replays to the same decisions, from wherever it begins, and whatever is in it. */
class ReplayTest {
  private static final int CONTEXTS = 70;
  private static final int GROUPS = 8;
  private static final int DEPTH = 6;
  private static final long US = 1_000;
  private static final long RECORDS_OF_VERSION_1 = 2_998;

  /** A core that is told what comes to mind, and its journal from some time on. */
  private static final class Scene {
    final Random random;
    final SchedulingCore core;
    final int[] flights = new int[DEPTH];
    final boolean[] open = new boolean[CONTEXTS];
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private InputRing ring;
    private JournalWriter writer;
    private long now;

    Scene(long seed) {
      random = new Random(seed);
      now = random.nextLong();
      SchedulingPolicy[] policies = SchedulingPolicy.values();
      // in most, guarantees
      int policy = Math.max(random.nextInt(6) - 1, 0);
      core =
          new SchedulingCore(
              CONTEXTS, GROUPS, DEPTH, 2, policies[policies.length - 1 - policy % 3], now);
      Arrays.fill(flights, -1);
      for (int g = 1; g < GROUPS; g++) {
        group(g);
      }
    }

    void group(int g) {
      long period = (1 + random.nextInt(9)) * 1000 * US;
      boolean promised = random.nextInt(3) == 0;
      boolean limited = random.nextInt(3) == 0;
      core.setGroup(
          g,
          random.nextInt(g),
          promised ? period / 10 : 0,
          period,
          limited ? period / 4 : 0,
          period,
          1 + random.nextInt(1000));
    }

    void begin() throws IOException {
      ring = new InputRing(1 << 16);
      writer = new JournalWriter(core, now, bytes);
      core.setRecorder(ring);
    }

    byte[] end() throws IOException {
      core.setRecorder(null);
      int ignored = writer.write(ring);
      writer.end(ring.missed());
      assertEquals(bytes.size(), writer.bytes() + 0);
      return bytes.toByteArray();
    }

    void steps(int count) {
      for (int i = 0; i < count; i++) {
        step();
      }
    }

    private void step() {
      now += random.nextInt(30) == 0 ? jump() : random.nextLong(300 * US);
      int c = random.nextInt(CONTEXTS);
      switch (random.nextInt(20)) {
        case 0 -> context(c);
        case 1 -> {
          if (random.nextInt(4) == 0) {
            core.close(c);
            open[c] = false;
            clean();
          }
        }
        case 2 -> group(1 + random.nextInt(GROUPS - 1));
        case 3 -> core.at(now);
        case 4 -> {
          if (random.nextBoolean()) {
            core.idle(c);
          } else {
            core.pause(c);
          }
        }
        case 5, 6, 7, 8 -> core.ready(c);
        case 9 -> preempt();
        case 10 -> settings();
        case 11, 12, 13, 14, 15 -> start();
        default -> end(random.nextInt(DEPTH));
      }
    }

    private long jump() {
      return switch (random.nextInt(4)) {
        case 0 -> -random.nextLong(500 * US);
        case 1 -> -random.nextLong(5_000_000 * US);
        case 2 -> 1L << 55;
        default -> random.nextLong(50_000 * US);
      };
    }

    private void context(int c) {
      long period = (1 + random.nextInt(20)) * 1000 * US;
      long quota = random.nextInt(3) == 0 ? period / 20 : 0;
      int group = random.nextInt(GROUPS);
      if (open[c]) {
        core.setContext(c, group, random.nextInt(4), quota, period);
      } else {
        core.open(c, group, random.nextInt(4), quota, period);
        open[c] = true;
      }
    }

    private void settings() {
      switch (random.nextInt(12)) {
        case 0 -> core.setPolicy(SchedulingPolicy.values()[random.nextInt(3)]);
        case 1 -> core.setLimit(1 + random.nextInt(DEPTH));
        case 2 -> core.preemption().setParallel(1 + random.nextInt(3));
        case 3 -> core.preemption().setStops(random.nextBoolean());
        case 4 -> replaceGroup();
        default -> assertTrue(core.readings().groupLeftNs(0) > 0);
      }
    }

    /** The last one is nobody's parent. */
    private void replaceGroup() {
      for (int c = 0; c < CONTEXTS; c++) {
        if (open[c]) {
          core.setContext(c, random.nextInt(GROUPS - 1), random.nextInt(4), 0, 0);
        }
      }
      core.removeGroup(GROUPS - 1);
      group(GROUPS - 1);
    }

    private void preempt() {
      int slot = core.preemption().advise(now);
      if (slot >= 0) {
        core.preemption().onAsked(slot);
      }
    }

    private void start() {
      int c = core.next(now);
      for (int slot = 0; slot < DEPTH && c >= 0; slot++) {
        if (flights[slot] < 0) {
          core.onStart(slot, c, now, Advances.any(random));
          flights[slot] = c;
          return;
        }
      }
    }

    private void end(int slot) {
      if (random.nextInt(8) == 0) {
        core.onAbandon(slot);
      } else {
        core.onEnd(slot, random.nextLong(400 * US), now);
      }
      flights[slot] = -1;
    }

    private void clean() {
      for (int slot = 0; slot < DEPTH; slot++) {
        if (!core.isTaken(slot)) {
          flights[slot] = -1;
        }
      }
    }
  }

  private static byte[] journal(long seed, int before, int steps) throws IOException {
    Scene scene = new Scene(seed);
    scene.steps(before);
    scene.begin();
    scene.steps(steps);
    return scene.end();
  }

  @Property(tries = 300)
  void everyDecisionIsTheSame(
      @ForAll long seed,
      @ForAll @IntRange(max = 400) int before,
      @ForAll @IntRange(min = 1, max = 2000) int steps)
      throws IOException {
    byte[] journal = journal(seed, before, steps);
    Replay.Result result = Replay.run(new ByteArrayInputStream(journal));
    assertTrue(result.difference().isEmpty(), () -> result.toString());
    assertEquals(0, result.missed());
  }

  /** Written before a start had a charge in advance. */
  @Test
  void aJournalOfTheFirstVersionReplays() throws IOException {
    try (InputStream in = ReplayTest.class.getResourceAsStream("/version-1.journal")) {
      Replay.Result result = Replay.run(in);
      assertTrue(result.difference().isEmpty(), () -> result.toString());
      assertEquals(RECORDS_OF_VERSION_1, result.records());
      assertTrue(result.decisions() > 500, () -> result.toString());
    }
  }

  @Test
  void aLaterVersionIsRefused() throws IOException {
    byte[] journal = journal(5, 10, 50);
    // numbers have their sign in the lowest bit
    journal[8] = 6;
    IOException e =
        assertThrows(
            JournalFormatException.class, () -> Replay.run(new ByteArrayInputStream(journal)));
    assertTrue(e.getMessage().contains("has version 3"), e::getMessage);
    assertTrue(e.getMessage().contains("versions 1 to 2"), e::getMessage);
  }

  @Test
  void thereIsSomethingToCompare() throws IOException {
    Replay.Result result = Replay.run(new ByteArrayInputStream(journal(1, 500, 20_000)));
    assertTrue(result.decisions() > 4_000, () -> result.toString());
    assertTrue(result.difference().isEmpty(), () -> result.toString());
    assertTrue(result.durationNs() > 0);
  }

  /** A kind that no scene writes is one whose replay nobody compares. */
  @Test
  void everyKindOfInputIsReplayed() throws Exception {
    Scene scene = new Scene(2);
    scene.steps(500);
    InputRing ring = new InputRing(1 << 16);
    scene.core.setRecorder(ring);
    scene.steps(20_000);
    scene.core.setRecorder(null);
    Set<Integer> seen = new TreeSet<>();
    ring.drain((kind, time, a, b, c, d, e) -> seen.add(kind));
    Set<Integer> known = new TreeSet<>();
    for (int kind = 0; kind < 256; kind++) {
      if (Inputs.isKnown(kind)) {
        known.add(kind);
      }
    }
    assertEquals(known, seen);
  }

  /** A record that is left out is missing in what is decided later. */
  @Test
  void anotherInputIsAnotherDecision() throws IOException {
    SchedulingCore core = new SchedulingCore(2, 1, 2, 1, SchedulingPolicy.GUARANTEED, 0);
    core.open(0, 0, 1, 500 * US, 1000 * US);
    core.open(1, 0, 1, 0, 0);
    InputRing ring = new InputRing(1 << 16);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JournalWriter writer = new JournalWriter(core, 0, bytes);
    core.setRecorder(ring);
    core.ready(0);
    assertEquals(0, core.next(1));
    int before = writer.write(ring);
    // not written: that the other one comes, and this one goes
    core.setRecorder(null);
    core.idle(0);
    core.ready(1);
    InputRing second = new InputRing(1 << 16);
    core.setRecorder(second);
    assertEquals(1, core.next(2));
    InputRing decision = new InputRing(1 << 16);
    second.drain(
        (kind, time, a, b, c, d, e) -> {
          if (kind == Inputs.NEXT) {
            decision.write(kind, time, a, b, c, d, e);
          }
        });
    int ignored = writer.write(decision);
    writer.end(0);
    Replay.Result result = Replay.run(new ByteArrayInputStream(bytes.toByteArray()));
    assertEquals(
        new Replay.Difference(before + 1L, 2, "context", 1, 0), result.difference().orElseThrow());
  }

  @Test
  void aRingThatIsFullEndsTheJournalAndSaysSo() throws IOException {
    Scene scene = new Scene(3);
    scene.begin();
    scene.steps(100_000);
    byte[] journal = scene.end();
    Replay.Result result = Replay.run(new ByteArrayInputStream(journal));
    assertTrue(result.missed() > 0, "100000 steps are more than 65536 records");
    assertEquals(1 << 16, result.records());
    assertTrue(result.difference().isEmpty(), () -> result.toString());
  }

  /** Whatever is in the file: a message, or an end. */
  @Property(tries = 500)
  void brokenFilesAreRefused(@ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int bites)
      throws IOException {
    byte[] journal = journal(seed % 16, 50, 300);
    Random random = new Random(seed);
    for (int i = 0; i < bites; i++) {
      journal[random.nextInt(journal.length)] = (byte) random.nextInt(256);
    }
    int length = random.nextInt(4) == 0 ? random.nextInt(journal.length) : journal.length;
    try {
      var ignored = Replay.run(new ByteArrayInputStream(journal, 0, length));
    } catch (JournalFormatException | EOFException e) {
      assertFalse(e.getMessage().isBlank());
    }
  }

  @Test
  void cutOffFilesSayWhere() throws IOException {
    byte[] journal = journal(5, 10, 50);
    for (int length = 0; length < journal.length; length += 7) {
      byte[] part = Arrays.copyOf(journal, length);
      IOException e =
          assertThrows(IOException.class, () -> Replay.run(new ByteArrayInputStream(part)));
      assertTrue(e.getMessage().contains("cut off"), e::getMessage);
    }
    byte[] wrong = journal.clone();
    wrong[wrong.length - 1] ^= 1;
    IOException e =
        assertThrows(IOException.class, () -> Replay.run(new ByteArrayInputStream(wrong)));
    assertTrue(e.getMessage().contains("checksum"), e::getMessage);
    byte[] longer = Arrays.copyOf(journal, journal.length + 1);
    assertThrows(IOException.class, () -> Replay.run(new ByteArrayInputStream(longer)));
    byte[] text = "not a journal at all".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    assertThrows(JournalFormatException.class, () -> Replay.run(new ByteArrayInputStream(text)));
  }
}
