package io.isle.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.BankPort;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.ffi.PeerCredentials;
import io.isle.lib.leap.banks.BankLayout;
import java.lang.foreign.Arena;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who connects to a listener sends what it likes. */
@Timeout(120)
class HostileListenerTest {
  private final Driver driver = new Driver();

  @AfterEach
  void close() {
    driver.close();
  }

  enum Offer {
    GARBAGE(peer -> peer.offer(ShmHello.BYTES), "does not begin with ISHM"),
    TOO_SHORT(
        peer -> {
          ShmHello.write(peer.message.data(), 1);
          peer.offer(31, peer.file(BankLayout.BYTES, true), peer.frameBell(), peer.bankBell());
        },
        "31 B, not 32"),
    TOO_LONG(
        peer -> {
          ShmHello.write(peer.message.data(), 1);
          peer.offer(33, peer.file(BankLayout.BYTES, true), peer.frameBell(), peer.bankBell());
        },
        "more than 32 B"),
    NO_DESCRIPTORS(
        peer -> {
          ShmHello.write(peer.message.data(), 1);
          peer.offer(ShmHello.BYTES);
        },
        "passed 0 descriptors, not 3"),
    TWO_DESCRIPTORS(
        peer -> {
          ShmHello.write(peer.message.data(), 1);
          peer.offer(ShmHello.BYTES, peer.file(BankLayout.BYTES, true), peer.frameBell());
        },
        "passed 2 descriptors, not 3"),
    FOUR_DESCRIPTORS(
        peer -> {
          ShmHello.write(peer.message.data(), 1);
          int file = peer.file(BankLayout.BYTES, true);
          peer.offer(ShmHello.BYTES, file, peer.frameBell(), peer.bankBell(), file);
        },
        "too many descriptors"),
    NOT_SEALED(
        peer -> {
          ShmHello.write(peer.message.data(), 1);
          int file = peer.file(BankLayout.BYTES, false);
          peer.offer(ShmHello.BYTES, file, peer.frameBell(), peer.bankBell());
        },
        "size of its segment is not sealed"),
    TOO_SMALL(
        peer -> {
          ShmHello.write(peer.message.data(), 1);
          int file = peer.file(BankLayout.BYTES - 1, true);
          peer.offer(ShmHello.BYTES, file, peer.frameBell(), peer.bankBell());
        },
        "segment has " + (BankLayout.BYTES - 1) + " B"),
    TOO_LARGE(
        peer -> {
          ShmHello.write(peer.message.data(), 1);
          int file = peer.file(1L << 40, true);
          peer.offer(ShmHello.BYTES, file, peer.frameBell(), peer.bankBell());
        },
        "segment has " + (1L << 40) + " B"),
    READ_ONLY(
        peer -> {
          ShmHello.write(peer.message.data(), 1);
          int file = peer.file(BankLayout.BYTES, false);
          peer.file.seal(true);
          peer.offer(ShmHello.BYTES, file, peer.frameBell(), peer.bankBell());
        },
        "no segment for it: mmap"),
    NO_FILE(
        peer -> {
          ShmHello.write(peer.message.data(), 1);
          peer.offer(ShmHello.BYTES, peer.frameBell(), peer.frameBell(), peer.bankBell());
        },
        "no memory file"),
    OTHER_VERSION(
        peer -> {
          ShmHello.write(peer.message.data(), 1);
          peer.message.data().set(ShmHello.U32, 4, 2);
          int file = peer.file(BankLayout.BYTES, true);
          peer.offer(ShmHello.BYTES, file, peer.frameBell(), peer.bankBell());
        },
        "version 2 of shared memory, this node version 1"),
    OTHER_BANKS(
        peer -> {
          ShmHello.write(peer.message.data(), 1);
          peer.message.data().set(ShmHello.U64, ShmHello.SIZE_AT, -1);
          int file = peer.file(BankLayout.BYTES, true);
          peer.offer(ShmHello.BYTES, file, peer.frameBell(), peer.bankBell());
        },
        "64 banks of 131072 B in 18446744073709551615 B");

    final Consumer<RawPeer> send;
    final String reason;

    Offer(Consumer<RawPeer> send, String reason) {
      this.send = send;
      this.reason = reason;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aWrongOfferIsClosedCountedAndNamed(Offer offer) {
    BankPort prev = driver.listen();
    try (RawPeer warm = RawPeer.connect(driver.name)) {
      warm.send(1);
      driver.until("closed", () -> prev.strays() == 1);
    }
    long before = Driver.descriptors();
    try (RawPeer peer = RawPeer.connect(driver.name)) {
      offer.send.accept(peer);
      driver.until("closed", () -> prev.strays() == 2);
      assertTrue(peer.isClosed());
    }
    assertTrue(prev.reason().contains(offer.reason), prev::reason);
    assertTrue(prev.reason().contains("(process "), prev::reason);
    assertEquals(before, Driver.descriptors());
    assertEquals(0, Driver.mappings());
    assertEquals(PortState.LISTENING, prev.state());
    BankPort next = driver.connect();
    driver.untilUp(next);
    assertEquals(1, driver.send(next, "a"));
    assertEquals("a", driver.receive(prev));
    assertEquals(1, prev.paths());
  }

  /** Those that are silent keep eight places, each for two seconds. */
  @Test
  void silentConnectionsCannotKeepTheNeighbourOut() {
    BankPort prev = driver.listen();
    for (int i = 0; i < 20; i++) {
      driver.peer();
    }
    driver.until("some closed", () -> prev.strays() == 12);
    BankPort next = driver.connect();
    driver.until("refused", () -> prev.strays() == 13);
    driver.pass(5 * Driver.SECOND);
    driver.untilUp(prev);
    driver.untilUp(next);
    assertTrue(prev.strays() >= 21, "20 silent ones, and attempts of the neighbour");
    assertEquals(1, prev.paths());
  }

  @Test
  void tenThousandConnectionsLeaveNothing() {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(prev);
    driver.untilUp(next);
    long before = Driver.descriptors();
    for (int i = 0; i < 10_000; i++) {
      try (RawPeer peer = RawPeer.connect(driver.name)) {
        if (i % 3 == 0) {
          peer.offer();
        } else if (i % 3 == 1) {
          peer.send(7);
        }
        driver.poll();
      }
    }
    driver.until("all closed", () -> prev.strays() == 10_000);
    assertEquals(before, Driver.descriptors());
    assertEquals(4, Driver.mappings());
    assertEquals(1, driver.send(next, "a"));
    assertEquals("a", driver.receive(prev));
    assertEquals(1, prev.paths());
    assertEquals(1, next.paths());
  }

  /** Whoever offers a right segment and leaves is a neighbour that ended. */
  @Test
  void aThousandNeighboursLeaveNothing() {
    BankPort prev = driver.listen();
    long before = Driver.descriptors();
    for (int i = 0; i < 1_000; i++) {
      try (RawPeer peer = RawPeer.connect(driver.name)) {
        peer.offer();
        driver.untilUp(prev);
      }
      driver.until("the end", () -> prev.state() == PortState.LISTENING);
    }
    assertEquals(before, Driver.descriptors());
    assertEquals(0, Driver.mappings());
    assertEquals(1_000, prev.paths());
  }

  @Test
  void processesOfOtherUsersAreForeign() {
    driver.transport = new ShmTransport(new FakeUsers(1));
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.until("refused", () -> prev.foreign() >= 1 && next.foreign() >= 1);
    assertEquals(0, prev.paths());
    assertTrue(
        next.reason().contains("user " + (PeerCredentials.ownUid() + 1) + " listens there"),
        next::reason);
    assertEquals(0, prev.strays());
  }

  /** Each peer is of another user than this process. */
  private record FakeUsers(int other) implements Users {
    @Override
    public int own() {
      return PeerCredentials.ownUid();
    }

    @Override
    public PeerCredentials of(int descriptor) {
      PeerCredentials peer = PeerCredentials.of(descriptor);
      return new PeerCredentials(peer.pid(), peer.uid() + other, peer.gid());
    }
  }

  /** After a right exchange. */
  private RawPeer neighbour(BankPort prev) {
    RawPeer peer = driver.peer();
    peer.offer();
    driver.untilUp(prev);
    assertEquals(ShmHello.BYTES, peer.message.receive(peer.socket));
    assertEquals(ShmHello.DESCRIPTORS, peer.message.count());
    return peer;
  }

  private void endsWith(BankPort prev, String reason) {
    driver.until("the end", () -> prev.state() == PortState.LISTENING);
    assertTrue(prev.reason().endsWith(reason), prev::reason);
    BankPort next = driver.connect();
    driver.untilUp(next);
    assertEquals(1, driver.send(next, "a"));
    assertEquals("a", driver.receive(prev));
  }

  @Test
  void bytesBehindTheExchangeEndThePath() {
    BankPort prev = driver.listen();
    neighbour(prev).send(1);
    endsWith(prev, "sent bytes behind the exchange of segments");
  }

  @Test
  void impossibleNumbersEndThePath() {
    BankPort prev = driver.listen();
    RawPeer peer = neighbour(prev);
    peer.segment().set(ShmHello.U64, BankLayout.STATES + 64, 12345);
    driver.until("found", () -> prev.next() == -Errno.ENOTCONN);
    endsWith(prev, "wrote numbers into its segment that no frame can have");
  }

  @Test
  void aDestroyedBellEndsThePath() {
    BankPort prev = driver.listen();
    RawPeer peer = neighbour(prev);
    peer.destroyFrameBellOf(peer.message.descriptor(1));
    prev.interests((fd, events) -> {}, RingPort.READABLE);
    endsWith(prev, "destroyed a bell of this side");
  }

  @Test
  void aBellThatIsNoneEndsThePath() {
    BankPort prev = driver.listen();
    RawPeer peer = driver.peer();
    ShmHello.write(peer.message.data(), 1);
    int file = peer.file(BankLayout.BYTES, true);
    peer.offer(ShmHello.BYTES, file, file, file);
    driver.untilUp(prev);
    // the reader's line: prepared a sleep
    MemoryFile.map(file, BankLayout.BYTES, true, Arena.global())
        .set(ShmHello.U64, BankLayout.READER + BankLayout.SLEEPS, 1);
    assertEquals(1, driver.send(prev, "a"));
    endsWith(prev, "passed a bell that cannot ring: Socket operation on non-socket");
  }
}
