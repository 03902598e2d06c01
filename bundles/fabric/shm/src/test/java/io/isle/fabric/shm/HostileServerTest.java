package io.isle.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.BankPort;
import io.isle.api.fabric.PortState;
import io.isle.lib.ffi.Sockets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who listens under the name of the next node answers what it likes. */
@Timeout(60)
class HostileServerTest {
  private final Driver driver = new Driver();
  private int server;

  @BeforeEach
  void listen() {
    server = RawPeer.server(driver.name);
  }

  @AfterEach
  void close() {
    driver.close();
    new Sockets().close(server);
  }

  private RawPeer accepted() {
    RawPeer[] peer = {null};
    driver.until(
        "a connection",
        () -> {
          driver.pass(Driver.SECOND / 10);
          peer[0] = RawPeer.accepted(server);
          return peer[0] != null;
        });
    return peer[0];
  }

  @Test
  void aWrongAnswerIsNamedAndTheNodeTriesAgain() {
    BankPort next = driver.connect();
    long before = 0;
    for (int i = 0; i < 30; i++) {
      try (RawPeer peer = accepted()) {
        assertEquals(ShmHello.BYTES, peer.message.receive(peer.socket));
        assertEquals(ShmHello.DESCRIPTORS, peer.message.count());
        peer.message.closeReceived();
        switch (i % 3) {
          case 0 -> peer.send(3);
          case 1 -> peer.offer(ShmHello.BYTES, peer.file(4096, true), 0, 0);
          default -> {}
        }
      }
      driver.until(
          "given up",
          () ->
              next.reason().contains("3 B, not 32")
                  || next.reason().contains("its segment has 4096 B")
                  || next.reason().contains("before it had passed a segment"));
      assertEquals(PortState.CONNECTING, next.state());
      before = i == 5 ? Driver.descriptors() : before;
      assertTrue(i < 5 || Driver.descriptors() <= before + 6, "descriptors of an attempt");
    }
    try (RawPeer peer = accepted()) {
      peer.offer();
      driver.untilUp(next);
      assertEquals(1, next.paths());
    }
    driver.until("the end", () -> next.state() == PortState.CONNECTING);
  }

  @Test
  void aSilentServerIsGivenUpEachTime() {
    BankPort next = driver.connect();
    for (int i = 0; i < 5; i++) {
      driver.own(accepted());
      driver.pass(4 * Driver.SECOND);
      assertTrue(next.reason().contains("no answer within 3 s"), next::reason);
      driver.pass(2 * Driver.SECOND);
    }
    assertEquals(0, next.paths());
  }
}
