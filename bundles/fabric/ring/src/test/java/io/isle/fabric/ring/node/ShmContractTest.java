package io.isle.fabric.ring.node;

import static io.isle.fabric.ring.node.TestRing.BYTES;
import static io.isle.fabric.ring.node.TestRing.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.shm.ShmTransport;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rings by shared memory, which is always of dialect isle. */
class ShmContractTest extends TransportContract {
  @Override
  RingTransport transport() {
    return new ShmTransport();
  }

  @Override
  List<String> addresses(int count) {
    return Stream.generate(() -> "shm://test-" + UUID.randomUUID()).limit(count).toList();
  }

  @Override
  Dialect dialect() {
    return Dialect.ISLE;
  }

  private static MemorySegment claim(TestRing ring, int pos) {
    assertEquals(BYTES, ring.master.claimNext(SECOND));
    TestPackets.write(ring.master.claimed(), pos, REPLY, pos);
    return ring.master.claimed();
  }

  private static void commit(TestRing ring, int pos) {
    assertEquals(BYTES, ring.master.commitNext(SECOND));
    assertEquals(BYTES, ring.receive(5 * SECOND));
    TestPackets.assertMixed(ring.into, pos, pos, 1);
  }

  /** Whether memory of this process is a segment of a neighbour, by the kernel's list. */
  private static boolean isOfSegment(MemorySegment memory) throws IOException {
    try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
      return mappings
          .filter(line -> line.contains("isle-ring"))
          .map(line -> line.substring(0, line.indexOf(' ')).split("-"))
          .anyMatch(
              range ->
                  Long.parseLong(range[0], 16) <= memory.address()
                      && memory.address() + BYTES <= Long.parseLong(range[1], 16));
    }
  }

  @Test
  void aPacketIsWrittenInTheBankOfTheNeighbour() throws IOException {
    try (TestRing ring = ring(RingRole.WORKER)) {
      warm(ring);
      assertTrue(isOfSegment(claim(ring, 1)));
      commit(ring, 1);
    }
  }

  /** Longer than a neighbour waits for a sign of life. */
  @Test
  void aLongClaimHoldsUpNoSignsOfLife() {
    try (TestRing ring = ring(RingRole.WORKER)) {
      warm(ring);
      long paths = ring.node(0).info().next().counters().paths();
      claim(ring, 1);
      assertEquals(-Errno.ETIME, ring.receive(6 * SECOND / 5));
      commit(ring, 1);
      claim(ring, 2);
      commit(ring, 2);
      assertEquals(paths, ring.node(0).info().next().counters().paths());
    }
  }

  @Test
  void aClaimOutlivesItsTransportAndItsPath() {
    try (TestRing ring = ring(RingRole.WORKER)) {
      warm(ring);
      for (int pos = 1; pos < 5; pos++) {
        claim(ring, pos);
        for (int node = 0; node < 2; node++) {
          ring.node(node).detach("shm");
          if (pos % 2 == 0) {
            ring.node(node).dropParked("shm");
          }
        }
        TestPackets.write(ring.master.claimed(), pos, REPLY, pos);
        for (int node = 0; node < 2; node++) {
          ring.node(node).attach("shm", transport());
        }
        commit(ring, pos);
      }
    }
  }

  /** An update of the transport keeps the segment, in which the claim and signs of life lie. */
  @Test
  void signsOfLifeSpareAClaimOfAnEarlierTransport() {
    try (TestRing ring = ring(RingRole.WORKER)) {
      warm(ring);
      for (int pos = 1; pos < 3; pos++) {
        claim(ring, pos);
        ring.node(0).detach("shm");
        ring.node(0).attach("shm", transport());
        assertEquals(-Errno.ETIME, ring.receive(SECOND / 2));
        commit(ring, pos);
      }
    }
  }

  @Test
  void anotherTenantSeesNothingOfTheOneBefore() {
    try (TestRing ring = ring(RingRole.WORKER)) {
      warm(ring);
      MemorySegment before = claim(ring, 1);
      commit(ring, 1);
      for (int pos = 2; pos < 200; pos++) {
        claim(ring, pos);
        commit(ring, pos);
      }
      ring.master.close();
      assertThrows(IllegalStateException.class, () -> before.get(ValueLayout.JAVA_BYTE, 0));
      try (RingEndpoint next = ring.node(0).open(ring.capability(), TestRing.NO_RECORD, () -> {})) {
        // signs of life take banks, too: no bank comes again within the loop
        for (int i = 0; i < 48; i++) {
          assertEquals(BYTES, next.claimNext(SECOND));
          MemorySegment fresh = next.claimed();
          for (long at = 0; at < BYTES; at++) {
            assertEquals(0, fresh.get(ValueLayout.JAVA_BYTE, at));
          }
          TestPackets.write(fresh, i, REPLY, i);
          assertEquals(BYTES, next.commitNext(SECOND));
          assertEquals(BYTES, next.recvPrev(ring.into, 0, BYTES, 5 * SECOND));
        }
      }
    }
  }
}
