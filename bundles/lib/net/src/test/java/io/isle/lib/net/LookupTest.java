package io.isle.lib.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.ffi.HostPort;
import io.isle.lib.ffi.SockAddr;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LookupTest {
  private static SockAddr address(int last, int port) {
    SockAddr address = new SockAddr();
    address.ipv4(0x7F00_0000 | last, port);
    return address;
  }

  private static void await(Lookup lookup) {
    while (!lookup.ended()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void anAddressIsFoundAtOnce() {
    Lookup lookup = new Lookup(HostPort.parse("[::1]:99"), Names.SYSTEM, "lookup");
    assertFalse(lookup.ended());
    lookup.begin();
    assertTrue(lookup.ended());
    assertEquals("[::1]:99", lookup.addresses().getFirst().toString());
    assertEquals("", lookup.failure());
  }

  @Test
  void theSystemKnowsItsOwnName() {
    Lookup lookup = new Lookup(HostPort.parse("localhost:99"), Names.SYSTEM, "lookup");
    lookup.begin();
    await(lookup);
    assertTrue(lookup.addresses().getFirst().isLoopback());
  }

  @Test
  void aSlowNameBlocksNoCallerAndIsAskedOnceAtATime() {
    CountDownLatch answer = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    Names slow =
        host -> {
          asked.incrementAndGet();
          try {
            answer.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return List.of(address(7, host.port()));
        };
    Lookup lookup = new Lookup(HostPort.parse("node7:99"), slow, "lookup");
    lookup.begin();
    lookup.begin();
    assertFalse(lookup.ended());
    answer.countDown();
    await(lookup);
    assertEquals("127.0.0.7:99", lookup.addresses().getFirst().toString());
    assertEquals(1, asked.get());
  }

  @Test
  void everyLookupAsksAgain() {
    AtomicInteger asked = new AtomicInteger();
    Lookup lookup =
        new Lookup(
            HostPort.parse("node7:99"),
            host -> {
              int number = asked.incrementAndGet();
              if (number == 2) {
                throw new UnknownHostException(host.host());
              }
              if (number == 3) {
                throw new IllegalStateException("odd");
              }
              return List.of(address(number, host.port()));
            },
            "lookup");
    lookup.begin();
    await(lookup);
    assertEquals("127.0.0.1:99", lookup.addresses().getFirst().toString());
    lookup.begin();
    await(lookup);
    assertEquals(List.of(), lookup.addresses());
    assertEquals("the name has no address (node7)", lookup.failure());
    lookup.begin();
    await(lookup);
    assertTrue(lookup.failure().contains("odd"), lookup.failure());
    lookup.begin();
    await(lookup);
    assertEquals("127.0.0.4:99", lookup.addresses().getFirst().toString());
  }
}
