package io.isle.fabric.ring.node;

import io.isle.api.fabric.RingTransport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rings of dialect leap in which a program in C takes places, over every transport. */
@Timeout(120)
abstract class ForeignPeerContract {
  private static final int PACKETS = 60;

  abstract RingTransport transport();

  abstract String scheme();

  abstract List<Integer> ports(int count);

  private MixedRing ring(int dim, List<Boolean> foreign) {
    return new MixedRing(transport(), scheme(), ports(foreign.size()), dim, foreign);
  }

  /** Each place of the program in a ring of three, each order of starts. */
  static Stream<Arguments> placesAndOrders() {
    List<List<Integer>> orders =
        List.of(
            List.of(0, 1, 2),
            List.of(0, 2, 1),
            List.of(1, 0, 2),
            List.of(1, 2, 0),
            List.of(2, 0, 1),
            List.of(2, 1, 0));
    return IntStream.range(0, 3)
        .boxed()
        .flatMap(place -> orders.stream().map(order -> Arguments.of(place, order)));
  }

  private static List<Boolean> only(int place, int count) {
    return IntStream.range(0, count).mapToObj(i -> i == place).toList();
  }

  @ParameterizedTest
  @MethodSource("placesAndOrders")
  void aForeignPeerTakesEachPlaceInEachOrderOfStarts(int place, List<Integer> order) {
    try (MixedRing ring = ring(64, only(place, 3))) {
      order.forEach(ring::start);
      ring.warm();
      ring.drive(PACKETS);
      ring.resize(List.of(1, 2, 4));
      ring.drive(PACKETS);
      ring.assertQuiet();
    }
  }

  /** Workers begin with two layers each; the last layer of all is nobody's afterwards. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void withoutATailAllPacketsReturnToTheMaster(int place) {
    try (MixedRing ring = ring(64, only(place, 3))) {
      ring.startAll();
      ring.warm();
      ring.resize(List.of(1, 2, 3));
      ring.drive(PACKETS);
      ring.resize(List.of(1, 3, 4));
      ring.drive(PACKETS);
      ring.assertQuiet();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 348, 349, 4096, 32766})
  void packetsOfAllSizesAreBytesAsSpecified(int dim) {
    for (int place = 0; place < 3; place++) {
      try (MixedRing ring = ring(dim, only(place, 3))) {
        ring.startAll();
        ring.warm();
        ring.drive(PACKETS);
        ring.resize(List.of(1, 2, 4));
        ring.drive(PACKETS / 10);
        ring.assertQuiet();
      }
    }
  }

  static IntStream workers() {
    return IntStream.rangeClosed(1, 16);
  }

  /** Boundaries 1, 2, ... so that no worker keeps its layers; the last is the number of layers. */
  private static List<Integer> boundaries(MixedRing ring, int workers) {
    List<Integer> all = new ArrayList<>(IntStream.rangeClosed(1, workers).boxed().toList());
    all.add(ring.layers());
    return all;
  }

  @ParameterizedTest
  @MethodSource("workers")
  void resizesOfOneToSixteenWorkersByAMasterOfIsle(int workers) {
    List<Boolean> foreign = new ArrayList<>(Collections.nCopies(workers + 1, false));
    for (int i = 1; i <= workers; i += 2) {
      foreign.set(i, true);
    }
    resizes(foreign);
  }

  @ParameterizedTest
  @MethodSource("workers")
  void resizesOfOneToSixteenWorkersByAForeignMaster(int workers) {
    List<Boolean> foreign = new ArrayList<>(Collections.nCopies(workers + 1, false));
    for (int i = 0; i <= workers; i += 2) {
      foreign.set(i, true);
    }
    resizes(foreign);
  }

  private void resizes(List<Boolean> foreign) {
    int workers = foreign.size() - 1;
    try (MixedRing ring = ring(64, foreign)) {
      ring.startAll();
      ring.warm();
      if (workers == 1) {
        ring.resize(List.of(1));
        ring.drive(PACKETS);
      }
      ring.resize(boundaries(ring, workers));
      ring.drive(PACKETS);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aForeignPeerDoesNotNoticeAnUpdateOfTheTransport(int place) {
    try (MixedRing ring = ring(4096, only(place, 3))) {
      ring.startAll();
      ring.warm();
      for (int round = 0; round < 10; round++) {
        ring.drive(PACKETS / 6);
        ring.update(transport());
      }
      ring.resize(List.of(1, 2, 4));
      ring.drive(PACKETS);
      ring.assertQuiet();
    }
  }
}
