package io.isle.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.BankPort;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingSide;
import io.isle.lib.ffi.PollSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ShmPortTest {
  private final Driver driver = new Driver();

  @AfterEach
  void close() {
    driver.close();
  }

  @Test
  void framesPassBothWays() {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(prev);
    driver.untilUp(next);
    assertEquals(1, prev.paths());
    assertEquals(1, next.paths());
    assertTrue(next.peer().orElseThrow().startsWith("shm://" + driver.name + " (process "));
    assertEquals(-Errno.EAGAIN, prev.next());
    for (int i = 0; i < 200; i++) {
      assertEquals(2 + i / 100, driver.send(next, "x" + i % 10 + "y".repeat(i / 100)));
      assertEquals("x" + i % 10 + "y".repeat(i / 100), driver.receive(prev));
      assertEquals(4, driver.send(prev, "back"));
      assertEquals("back", driver.receive(next));
    }
    assertEquals(0, prev.claim());
    assertEquals(131_072, prev.publish(131_072));
    assertEquals(131_072, next.next());
    assertEquals(0, next.take());
    assertEquals(0, prev.claim());
    assertEquals(0, prev.publish(0));
    assertEquals("", driver.receive(next));
  }

  @Test
  void busyBanksAreBackPressure() {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(prev);
    driver.untilUp(next);
    for (int i = 0; i < next.banks(); i++) {
      assertEquals(1, driver.send(next, "a"));
    }
    assertEquals(-Errno.EAGAIN, next.claim());
    assertEquals("a", driver.receive(prev));
    assertEquals(0, next.claim());
    assertEquals(0, next.claim(), "the same claim");
    assertEquals(-Errno.EMSGSIZE, next.publish(131_073));
    assertEquals(-Errno.EMSGSIZE, next.publish(-1));
    assertEquals(5, next.publish(5));
    assertEquals(-Errno.ENOTCONN, next.publish(5), "no claim");
    assertThrows(IllegalStateException.class, next::bank);
    assertEquals(-Errno.EAGAIN, next.claim());
  }

  @Test
  void whatArrivedBeforeTheEndIsReadAndTheNodeAcceptsAgain() {
    BankPort prev = driver.listen();
    BankPort first = driver.connect();
    driver.untilUp(prev);
    assertEquals(1, driver.send(first, "a"));
    assertEquals(1, driver.send(first, "b"));
    driver.forget(first);
    first.close();
    BankPort second = driver.connect();
    driver.pass(Driver.SECOND);
    assertEquals(PortState.UP, prev.state());
    assertEquals(-Errno.ENOTCONN, prev.claim());
    assertEquals("a", driver.receive(prev));
    assertEquals("b", driver.receive(prev));
    assertEquals(-Errno.ENOTCONN, prev.next());
    assertTrue(prev.reason().endsWith(" closed the connection or ended"), prev::reason);
    assertEquals(Optional.empty(), prev.peer());
    driver.until("the second path", () -> prev.paths() == 2);
    driver.untilUp(second);
    assertEquals(1, driver.send(second, "c"));
    assertEquals("c", driver.receive(prev));
    assertEquals("", prev.reason());
    assertEquals(0, prev.strays());
  }

  @Test
  void theConnectorConnectsAgainForEver() {
    BankPort next = driver.connect();
    assertEquals(PortState.CONNECTING, next.state());
    assertTrue(next.reason().contains("Connection refused. No node of this machine"), next::reason);
    driver.pass(60 * Driver.SECOND);
    for (int i = 1; i <= 3; i++) {
      BankPort prev = driver.listen();
      driver.pass(3 * Driver.SECOND);
      driver.untilUp(next);
      assertEquals(i, next.paths());
      driver.forget(prev);
      prev.close();
      driver.until("the end", () -> next.state() == PortState.CONNECTING);
      assertTrue(next.reason().contains("closed the connection or ended"), next::reason);
    }
  }

  @Test
  void aNodeThatHangsIsGivenUpAfterThreeSeconds() {
    BankPort prev = driver.listen();
    driver.forget(prev);
    BankPort next = driver.connect();
    driver.pass(2 * Driver.SECOND);
    assertEquals("", next.reason());
    driver.pass(2 * Driver.SECOND);
    assertTrue(next.reason().contains("no answer within 3 s"), next::reason);
    prev.close();
  }

  @Test
  void whileTheNeighbourIsConnectedOthersAreClosedAndCounted() {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(prev);
    RawPeer late = driver.peer();
    driver.until("closed", () -> prev.strays() == 1);
    assertTrue(late.isClosed());
    BankPort other = driver.connect();
    driver.until("refused", () -> other.reason().contains("another neighbour may be connected"));
    assertEquals(1, driver.send(next, "a"));
    assertEquals("a", driver.receive(prev));
    assertEquals(1, prev.paths());
  }

  @Test
  void aNameInUseIsTriedAgain() {
    BankPort first = driver.listen();
    BankPort second = driver.open(Driver.spec(RingSide.PREV, driver.name));
    assertEquals(PortState.FAILED, second.state());
    assertTrue(second.reason().contains("Another node of this machine"), second::reason);
    driver.forget(first);
    first.close();
    driver.pass(3 * Driver.SECOND);
    assertEquals(PortState.LISTENING, second.state());
    assertEquals("", second.reason());
    assertTrue(second.notes().getLast().contains("64 banks of 131072 B"));
  }

  @Test
  void aLinkEndsAPathWithItsReason() {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(prev);
    driver.untilUp(next);
    assertEquals(1, driver.send(next, "a"));
    prev.disconnect("violates the protocol");
    assertEquals("violates the protocol", prev.reason());
    assertEquals(PortState.LISTENING, prev.state());
    assertEquals(-Errno.ENOTCONN, prev.next());
    driver.until("the end", () -> next.state() == PortState.CONNECTING);
    driver.pass(Driver.SECOND);
    driver.until("again", () -> prev.paths() == 2);
    next.disconnect("");
    assertEquals("", next.reason());
    prev.disconnect("");
    prev.disconnect("no path");
    assertEquals("", prev.reason());
  }

  /** A claim is for memory that stays, though the neighbour goes. */
  @Test
  void aClaimOutlivesThePath() {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(prev);
    driver.untilUp(next);
    assertEquals(0, next.claim());
    MemorySegment bank = next.bank();
    driver.forget(prev);
    prev.close();
    driver.until("the end", () -> next.state() == PortState.CONNECTING);
    bank.fill((byte) 1);
    assertEquals(1, next.bank().get(ValueLayout.JAVA_BYTE, 131_071));
    assertEquals(-Errno.ENOTCONN, next.publish(7));
    assertThrows(IllegalStateException.class, () -> bank.fill((byte) 2));
  }

  @Test
  void aClaimOfAnEndedPathIsNoneOfTheNext() {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(prev);
    driver.untilUp(next);
    assertEquals(0, next.claim());
    driver.forget(prev);
    prev.close();
    driver.until("the end", () -> next.state() == PortState.CONNECTING);
    BankPort again = driver.listen();
    driver.pass(Driver.SECOND);
    driver.until("again", () -> next.paths() == 2);
    assertEquals(-Errno.ENOTCONN, next.publish(7));
    assertEquals(1, driver.send(next, "a"));
    assertEquals("a", driver.receive(again));
  }

  @Test
  void aLentBankIsPassedByUntilItIsGivenBack() {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(prev);
    driver.untilUp(next);
    assertEquals(-Errno.ENOTCONN, next.lend(), "no claim");
    assertEquals(0, next.claim());
    MemorySegment bank = next.bank();
    assertEquals(0, next.lend());
    assertEquals("", driver.receive(prev));
    assertEquals(2, driver.passedBy(bank, next, prev), "the turns of the lent bank");
    next.giveBack();
    for (int i = 0; i < 70; i++) {
      assertEquals(1, driver.send(next, "b"));
      assertEquals("b", driver.receive(prev));
    }
    next.revoke();
    assertThrows(IllegalStateException.class, () -> bank.fill((byte) 2));
    assertEquals(1, driver.send(next, "c"));
    assertEquals("c", driver.receive(prev));
  }

  @Test
  void aClaimOutlivesItsPort() {
    long before = Driver.mappings();
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(prev);
    driver.untilUp(next);
    assertEquals(0, next.claim());
    MemorySegment bank = next.bank();
    driver.forget(next);
    driver.forget(prev);
    next.close();
    prev.close();
    bank.fill((byte) 1);
    next.abandon();
    assertThrows(IllegalStateException.class, () -> bank.fill((byte) 2));
    assertEquals(before, Driver.mappings());
  }

  /** As a thread that sleeps: what it waits for, or null if no descriptor has an event. */
  private static boolean wakes(BankPort port, int wanted, Runnable meanwhile, long patienceNs) {
    PollSet set = new PollSet(16);
    int[] count = {0};
    port.interests((fd, events) -> set.set(count[0]++, fd, PollSet.POLLIN), wanted);
    meanwhile.run();
    return set.await(count[0], patienceNs) > 0;
  }

  @Test
  void aSleepingReaderIsWokenByAFrameAndRungForOnce() {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(prev);
    driver.untilUp(next);
    long soon = Driver.SECOND / 100;
    long long20 = 20 * Driver.SECOND;
    assertTrue(!wakes(prev, RingPort.READABLE, () -> {}, soon));
    assertTrue(wakes(prev, RingPort.READABLE, () -> driver.send(next, "a"), long20));
    assertTrue(wakes(prev, RingPort.READABLE, () -> {}, long20), "the frame is still there");
    assertEquals("a", driver.receive(prev));
    assertTrue(!wakes(prev, RingPort.READABLE, () -> {}, soon));
    assertTrue(!wakes(prev, 0, () -> driver.send(next, "b"), soon), "nothing wanted");
    assertEquals("b", driver.receive(prev));
  }

  /** One thread prepares its sleep on a bell that has rung for another one. */
  @Test
  void aRingForOneOfTwoSleepersIsNotLost() {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(prev);
    driver.untilUp(next);
    Runnable other =
        () -> {
          driver.send(next, "a");
          prev.interests((fd, events) -> {}, RingPort.READABLE);
        };
    assertTrue(wakes(prev, RingPort.READABLE, other, 20 * Driver.SECOND));
    assertEquals("a", driver.receive(prev));
  }

  @Test
  void aSleepingWriterIsWokenByAFreeBank() {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(prev);
    driver.untilUp(next);
    long soon = Driver.SECOND / 100;
    assertTrue(wakes(next, RingPort.WRITABLE, () -> {}, soon), "all banks are free");
    for (int i = 0; i < next.banks(); i++) {
      driver.send(next, "a");
    }
    assertTrue(!wakes(next, RingPort.WRITABLE, () -> {}, soon));
    assertTrue(wakes(next, RingPort.WRITABLE, () -> driver.receive(prev), 20 * Driver.SECOND));
  }

  @Test
  void aThreadThatSleepsForNothingIsWokenByTheEnd() {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(prev);
    driver.untilUp(next);
    driver.forget(prev);
    assertTrue(wakes(next, 0, prev::close, 20 * Driver.SECOND));
    driver.poll();
    assertEquals(PortState.CONNECTING, next.state());
  }

  @Test
  void endpointsLeaveNothing() {
    BankPort warm = driver.listen();
    driver.forget(warm);
    warm.close();
    long before = Driver.descriptors();
    assertEquals(0, Driver.mappings());
    for (int i = 0; i < 5; i++) {
      BankPort prev = driver.listen();
      BankPort next = driver.connect();
      driver.untilUp(prev);
      driver.untilUp(next);
      assertEquals(4, Driver.mappings());
      for (BankPort port : List.of(prev, next)) {
        driver.forget(port);
        port.close();
        port.close();
        assertEquals(PortState.CLOSED, port.state());
        assertEquals(-Errno.ENOTCONN, port.claim());
        assertEquals(Long.MAX_VALUE, port.poll(driver.now()));
      }
    }
    assertEquals(before, Driver.descriptors());
    assertEquals(0, Driver.mappings());
  }
}
