package io.isle.net.tile;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.tile.TileState;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A crash of a tile behind any store, its own or its successor's while that one opens, loses no
 * frame and gives none to two owners; each frame arrives once, and is counted once.
 */
class TileCrashTest {
  private static final CrashLoader LOADER = new CrashLoader(Mutant.NONE);

  /** Something that happens; the numbers are taken as the step needs them. */
  record Step(Kind kind, int a, int b) {
    enum Kind {
      RECEIVE,
      TAKE_FILL,
      SEND,
      TAKE_TX,
      COMPLETE,
      CYCLE,
      CRASH,
      CRASH_AGAIN,
      REOPEN
    }

    void run(Load load) {
      TestKernel kernel = load.world().kernels.get(a & 1);
      switch (kind) {
        case RECEIVE -> load.receive(a & 1, b);
        case TAKE_FILL -> kernel.takeFill(b % 8);
        case SEND -> load.send(a & 1, b);
        case TAKE_TX -> kernel.takeTx(b % 8);
        case COMPLETE -> kernel.complete(b % 8);
        case CYCLE -> load.cycle();
        case CRASH -> load.crash(1 + a);
        case CRASH_AGAIN -> load.crash(1 + a, 1 + b, 1 + b / 3);
        case REOPEN -> load.reopen();
      }
    }
  }

  @Provide
  Arbitrary<Step> steps() {
    return Combinators.combine(
            Arbitraries.frequency(
                Tuple.of(8, Step.Kind.RECEIVE),
                Tuple.of(1, Step.Kind.TAKE_FILL),
                Tuple.of(8, Step.Kind.SEND),
                Tuple.of(3, Step.Kind.TAKE_TX),
                Tuple.of(3, Step.Kind.COMPLETE),
                Tuple.of(2, Step.Kind.CYCLE),
                Tuple.of(2, Step.Kind.CRASH),
                Tuple.of(2, Step.Kind.CRASH_AGAIN),
                Tuple.of(1, Step.Kind.REOPEN)),
            Arbitraries.integers().between(0, 90),
            Arbitraries.integers().between(0, 90))
        .as(Step::new);
  }

  @Property(tries = 150)
  void noFrameIsLostOrOwnedTwice(
      @ForAll @Size(min = 20, max = 120) List<@From("steps") Step> steps) {
    Load load = new Load(LOADER);
    steps.forEach(step -> step.run(load));
    load.finish();
  }

  /** One cycle with all kinds of frames, ended behind its first store, its second, and so on. */
  @Test
  void everyStoreOfACycleMayBeTheLast() {
    long stores = everyStore(LOADER);
    assertTrue(stores > 200, stores + " stores");
  }

  /** The same for the stores of an opening behind a crash. */
  @Test
  void everyStoreOfAnOpeningMayBeTheLast() {
    for (int last = 1; last <= 250; last += 3) {
      for (int again = 1; again < 14; again++) {
        Load load = loaded(LOADER);
        load.crash(last, again, again / 2 + 1);
        load.finish();
      }
    }
  }

  /** Lines and FILL get their first frames. */
  @Test
  void everyStoreOfTheFirstOpeningMayBeTheLast() {
    assertTrue(everyStoreOfTheFirst(LOADER) > 3 * World.DEPTH);
  }

  private static int everyStoreOfTheFirst(CrashLoader loader) {
    int last = 0;
    Load load;
    do {
      load = new Load(loader, ++last);
    } while (load.world().state.get(TileState.tile(TileState.OPENED)) == 1);
    return last;
  }

  /** So that the checks are known to see what they look for. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void everyMutantIsFound(Mutant mutant) {
    CrashLoader loader = new CrashLoader(mutant);
    Throwable found =
        assertThrows(
            Throwable.class,
            () -> {
              everyStore(loader);
              everyStoreOfTheFirst(loader);
              random(loader);
            });
    assertFalse(found instanceof LinkageError, found.toString());
  }

  private static long everyStore(CrashLoader loader) {
    for (long last = 1; ; last++) {
      Load load = loaded(loader);
      boolean crashed = load.crash(last);
      load.finish();
      if (!crashed) {
        return last;
      }
    }
  }

  /** A load in which each path has work. */
  private static Load loaded(CrashLoader loader) {
    Load load = new Load(loader);
    for (int i = 0; i < 28; i++) {
      load.receive(i & 1, i / 2);
      load.send(i & 1, i);
      if (i == 9) {
        load.cycle();
        load.world().kernels.forEach(kernel -> kernel.takeTx(2));
        load.world().kernels.forEach(kernel -> kernel.complete(2));
      }
    }
    return load;
  }

  private static void random(CrashLoader loader) {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Load load = new Load(loader);
      for (int i = 0; i < 60; i++) {
        Step.Kind kind = Step.Kind.values()[random.nextInt(Step.Kind.values().length)];
        new Step(kind, random.nextInt(90), random.nextInt(90)).run(load);
      }
      load.finish();
    }
  }
}
