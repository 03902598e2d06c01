package io.isle.fabric.ring.isle;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.RingSide;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/**
 * Each packet arrives once and in order, in both directions and in bounded memory, while paths
 * lose, repeat, corrupt and break, transports restart, and the link moves.
 */
class LinkPropertyTest {
  private static final List<String> TRANSPORTS = List.of("tcp", "udp", "shm");

  /** Something that happens to a link. */
  enum Act {
    SEND,
    SEND_BACK,
    FILL,
    FILL_BACK,
    RECEIVE,
    RECEIVE_BACK,
    EMPTY,
    EMPTY_BACK,
    STEP,
    SOME_STEPS,
    SILENCE,
    CUT,
    DOWN,
    LOSE,
    CORRUPT,
    HEAL,
    TO_A,
    TO_B,
    TO_DATAGRAMS,
    TO_MEMORY,
    PARK,
    PARK_BACK,
    OTHER_FORMAT,
    OTHER_FORMAT_BACK,
    REPLACE,
    REPLACE_BACK
  }

  @Property(tries = 400)
  void eachPacketArrivesOnceAndInOrder(@ForAll @Size(max = 200) List<Act> acts, @ForAll long seed) {
    try (MovingLink link = new MovingLink(seed)) {
      for (Act act : acts) {
        act(link, act);
        link.check();
      }
      link.settle();
    }
  }

  private static void act(MovingLink link, Act act) {
    switch (act) {
      case SEND -> send(link, link.next, 1);
      case SEND_BACK -> send(link, link.prev, 1);
      case FILL -> send(link, link.next, 2 * End.WINDOW);
      case FILL_BACK -> send(link, link.prev, 2 * End.WINDOW);
      case RECEIVE -> receive(link, link.prev, 1);
      case RECEIVE_BACK -> receive(link, link.next, 1);
      case EMPTY -> receive(link, link.prev, 2 * End.WINDOW);
      case EMPTY_BACK -> receive(link, link.next, 2 * End.WINDOW);
      case STEP -> link.steps(1);
      case SOME_STEPS -> link.steps(30);
      case SILENCE -> link.steps(1200);
      case CUT -> link.cut();
      case DOWN -> link.down(true);
      case LOSE -> link.harm(20, 20, 0);
      case CORRUPT -> link.harm(5, 5, 5);
      case HEAL -> {
        link.harm(0, 0, 0);
        link.down(false);
      }
      case TO_A -> link.move(MovingLink.ADDRESSES.get(0));
      case TO_B -> moveUnderTraffic(link, MovingLink.ADDRESSES.get(1));
      case TO_DATAGRAMS -> moveUnderTraffic(link, MovingLink.ADDRESSES.get(2));
      case TO_MEMORY -> moveUnderTraffic(link, MovingLink.ADDRESSES.get(3));
      case PARK -> TRANSPORTS.forEach(one -> link.restart(RingSide.NEXT, one, true, 10));
      case PARK_BACK -> TRANSPORTS.forEach(one -> link.restart(RingSide.PREV, one, true, 10));
      case OTHER_FORMAT -> TRANSPORTS.forEach(one -> link.restart(RingSide.NEXT, one, false, 10));
      case OTHER_FORMAT_BACK ->
          TRANSPORTS.forEach(one -> link.restart(RingSide.PREV, one, false, 10));
      case REPLACE -> TRANSPORTS.forEach(one -> link.replace(RingSide.NEXT, one, 10));
      case REPLACE_BACK -> TRANSPORTS.forEach(one -> link.replace(RingSide.PREV, one, 10));
    }
  }

  private static void moveUnderTraffic(MovingLink link, String address) {
    traffic(link, 5);
    link.move(address);
    traffic(link, 20);
  }

  private static void traffic(MovingLink link, int rounds) {
    for (int i = 0; i < rounds; i++) {
      send(link, link.next, 1);
      send(link, link.prev, 1);
      link.steps(1);
      receive(link, link.prev, 1);
      receive(link, link.next, 1);
    }
  }

  private static void send(MovingLink link, End from, int most) {
    for (int i = 0; i < most && from.send(link.now); i++) {
      link.steps(1);
    }
  }

  private static void receive(MovingLink link, End at, int most) {
    for (int i = 0; i < most; i++) {
      boolean ignored = at.receive(link.now);
    }
  }

  /** The properties would hold, too, for a link that never moves. */
  @Test
  void packetsMoveToEachKindOfPath() {
    try (MovingLink link = new MovingLink(1)) {
      for (String address : MovingLink.ADDRESSES.reversed()) {
        link.move(address);
        traffic(link, 500);
        assertTrue(link.isOn(address), address);
        link.settle();
      }
      assertTrue(link.next.received > 1500, () -> "received " + link.next.received);
    }
  }

  @Test
  void aLinkThatMovesOftenNeedsNoMoreMemory() {
    try (MovingLink link = new MovingLink(2)) {
      long once = 0;
      for (int round = 0; round < 15; round++) {
        for (String address : MovingLink.ADDRESSES) {
          link.move(address);
          link.steps(500);
          assertTrue(link.isOn(address), address);
          send(link, link.next, End.WINDOW);
          send(link, link.prev, End.WINDOW);
          link.settle();
          once = round == 0 ? Math.max(once, link.memoryBytes()) : once;
        }
      }
      // the window takes places one by one; a path has more
      long most = once + 1024;
      assertTrue(link.memoryBytes() <= most, () -> link.memoryBytes() + " bytes, not " + most);
    }
  }
}
