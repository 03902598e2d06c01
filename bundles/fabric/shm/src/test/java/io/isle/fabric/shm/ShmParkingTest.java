package io.isle.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.BankPort;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingSide;
import io.isle.lib.ffi.Sockets;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A transport goes, and another version of it takes over. */
@Timeout(60)
class ShmParkingTest {
  private final Driver driver = new Driver();

  @AfterEach
  void close() {
    driver.close();
  }

  private ParkedPort park(BankPort port) {
    driver.forget(port);
    ParkedPort parked = port.park().orElseThrow();
    assertEquals(PortState.CLOSED, port.state());
    assertEquals(Optional.empty(), port.park());
    assertEquals(-Errno.ENOTCONN, port.next());
    assertEquals(Long.MAX_VALUE, port.poll(driver.now()));
    port.close();
    driver.transport = new ShmTransport(Users.SYSTEM);
    return parked;
  }

  private static void release(ParkedPort parked) {
    Sockets sockets = new Sockets();
    parked.descriptors().forEach(fd -> assertEquals(0, sockets.close(fd)));
  }

  @Test
  void framesUnderWayGoOn() {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(prev);
    driver.untilUp(next);
    for (int i = 0; i < 100; i++) {
      assertEquals(4, driver.send(next, "warm"));
      assertEquals("warm", driver.receive(prev));
    }
    for (int i = 0; i < next.banks(); i++) {
      assertEquals(2, driver.send(next, "" + (i + 10)));
    }
    assertEquals("10", driver.receive(prev));
    assertEquals("11", driver.receive(prev));
    assertEquals(0, next.claim());
    String peer = prev.peer().orElseThrow();

    ParkedPort parkedPrev = park(prev);
    ParkedPort parkedNext = park(next);
    assertEquals(1, Driver.mappings(), "that of the claim");
    next.abandon();
    assertEquals(0, Driver.mappings());
    BankPort nextAgain = driver.adopt(Driver.spec(RingSide.NEXT, driver.name), parkedNext);
    assertEquals(2, driver.send(nextAgain, "74"));
    assertEquals(-Errno.EAGAIN, nextAgain.claim());
    BankPort prevAgain = driver.adopt(Driver.spec(RingSide.PREV, driver.name), parkedPrev);

    assertEquals(PortState.UP, prevAgain.state());
    assertEquals(PortState.UP, nextAgain.state());
    assertEquals(Optional.of(peer), prevAgain.peer());
    assertEquals(1, prevAgain.paths());
    for (int i = 12; i < 74; i++) {
      assertEquals("" + i, driver.receive(prevAgain));
    }
    assertEquals("", driver.receive(prevAgain), "in the place of the claimed bank");
    assertEquals("74", driver.receive(prevAgain));
    assertEquals(4, driver.send(prevAgain, "back"));
    assertEquals("back", driver.receive(nextAgain));
    assertTrue(prevAgain.notes().getFirst().startsWith("listens on shm://"));
    RawPeer late = driver.peer();
    driver.until("closed", () -> prevAgain.strays() == 1);
    assertTrue(late.isClosed());
  }

  /** The writer of a bank writes on while frames of a later version go by. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noFrameGoesIntoABankThatIsClaimedOrLent(boolean lent) {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(prev);
    driver.untilUp(next);
    assertEquals(0, next.claim());
    MemorySegment bank = next.bank();
    if (lent) {
      assertEquals(0, next.lend());
      assertEquals("", driver.receive(prev));
    }
    BankPort again = driver.adopt(Driver.spec(RingSide.NEXT, driver.name), park(next));
    again = driver.adopt(Driver.spec(RingSide.NEXT, driver.name), park(again));
    assertEquals(lent ? 2 : 3, driver.passedBy(bank, again, prev), "the turns of the bank");
    next.abandon();
    next.giveBack();
    assertThrows(IllegalStateException.class, () -> bank.fill((byte) 2));
  }

  @Test
  void portsWithoutAPathKeepTheNumberOfTheirPaths() {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(prev);
    driver.untilUp(next);
    driver.forget(prev);
    prev.close();
    driver.until("the end", () -> next.state() == PortState.CONNECTING);
    ParkedPort parked = park(next);
    assertEquals(List.of(), parked.descriptors());
    BankPort nextAgain = driver.adopt(Driver.spec(RingSide.NEXT, driver.name), parked);
    assertEquals(1, nextAgain.paths());
    BankPort listener = driver.listen();
    ParkedPort parkedListener = park(listener);
    assertEquals(1, parkedListener.descriptors().size());
    driver.adopt(Driver.spec(RingSide.PREV, driver.name), parkedListener);
    driver.pass(3 * Driver.SECOND);
    driver.until("again", () -> nextAgain.paths() == 2);
  }

  @Test
  void theNeighbourMayEndMeanwhile() {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(prev);
    assertEquals(1, driver.send(next, "a"));
    ParkedPort parked = park(prev);
    driver.forget(next);
    next.close();
    BankPort again = driver.adopt(Driver.spec(RingSide.PREV, driver.name), parked);
    assertEquals("a", driver.receive(again));
    assertEquals(-Errno.ENOTCONN, again.next());
    assertEquals(PortState.LISTENING, again.state());
  }

  @ParameterizedTest
  @CsvSource({
    "shm/2,'',''",
    "tcp/1,'',''",
    "'',name,other",
    "'',side,next",
    "'',listens,false",
    "'',paths,-1",
    "'',taken,x",
    "'',taken,-1",
    "'',published,''",
    "'',spared,''",
    "'',spared,-2",
    "'',spared,64",
    "'',source,1x"
  })
  void whatIsUnknownIsLeftToItsOwner(String format, String fact, String value) {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(next);
    driver.untilUp(prev);
    ParkedPort parked = park(prev);
    long before = Driver.descriptors();
    Map<String, String> facts = new HashMap<>(parked.facts());
    if (!fact.isEmpty()) {
      assertTrue(facts.put(fact, value) != null, fact);
    }
    ParkedPort changed =
        new ParkedPort(format.isEmpty() ? parked.format() : format, parked.descriptors(), facts);
    assertEquals(
        Optional.empty(), driver.transport.adopt(Driver.spec(RingSide.PREV, driver.name), changed));
    assertEquals(before, Driver.descriptors());
    assertEquals(2, Driver.mappings());
    release(parked);
  }

  /** Descriptors that are not those of the format. */
  @Test
  void whatCannotBeMappedIsLeftToItsOwner() {
    BankPort prev = driver.listen();
    BankPort next = driver.connect();
    driver.untilUp(next);
    driver.untilUp(prev);
    ParkedPort parked = park(prev);
    List<Integer> turned = new ArrayList<>(parked.descriptors());
    Collections.rotate(turned, 1);
    ParkedPort changed = new ParkedPort(parked.format(), turned, parked.facts());
    assertEquals(
        Optional.empty(), driver.transport.adopt(Driver.spec(RingSide.PREV, driver.name), changed));
    assertEquals(2, Driver.mappings());
    release(parked);
  }
}
