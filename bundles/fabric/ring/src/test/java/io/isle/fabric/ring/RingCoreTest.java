package io.isle.fabric.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingFinding;
import io.isle.api.fabric.RingFinding.Topic;
import io.isle.api.fabric.RingFinding.Verdict;
import io.isle.fabric.ring.admin.CounterTotals;
import io.isle.fabric.ring.admin.MemoryFiles;
import io.isle.fabric.ring.node.TestCapability;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes by their files, as files, transports and rights come and go. */
@Timeout(60)
class RingCoreTest {
  private static final int BYTES = 8 + 4 * 64;

  private final MemoryFiles files = new MemoryFiles();
  private final RingCore core =
      new RingCore(files, new CounterTotals(), new NoParts(), (ring, teller, change) -> {});
  private final TestCapability capability = new TestCapability();
  private final MemorySegment packet = Arena.ofAuto().allocate(BYTES, 8);

  @AfterEach
  void close() {
    core.close();
  }

  private static Map<String, String> node(String role, String... more) {
    Map<String, String> given = new HashMap<>();
    given.put("role", role);
    given.put("dim", "64");
    given.put("listen", "fake://a");
    given.put("next", "fake://b");
    for (int i = 0; i < more.length; i += 2) {
      given.put(more[i], more[i + 1]);
    }
    return given;
  }

  private RingEndpoint open() {
    return core.find("m").orElseThrow().open(capability, (any, work) -> work.get(), () -> {});
  }

  private long receive(RingEndpoint endpoint) {
    return endpoint.recvPrev(packet, 0, BYTES, 0);
  }

  private long spinNs() {
    return core.find("n").orElseThrow().settings().waits().spinNs();
  }

  @Test
  void aFileWithAMistakeIsRefusedAsAWholeAndTheLastGoodSettingsStay() {
    core.create(Map.of("n", node("relay")));
    files.set("io.isle.ring-n", Map.of("spin_us", "7", "dim", "much"));
    core.filesChanged();
    RingFinding first = core.check("n").getFirst();
    assertEquals(Topic.SETTINGS, first.topic());
    assertEquals(Verdict.FAILED, first.verdict());
    assertTrue(first.text().startsWith("dim: "), first.text());
    assertTrue(first.text().endsWith("the last good settings are in force"), first.text());
    assertEquals(50_000, spinNs());
    files.set("io.isle.ring-n", Map.of("dim", "64"));
    core.filesChanged();
    List<RingFinding> after = core.check("n");
    assertTrue(after.stream().noneMatch(one -> one.topic() == Topic.SETTINGS), after::toString);
    assertEquals(7_000, spinNs());
  }

  /** A link goes on where another address or network cannot be. */
  @Test
  void whatATransportRefusesIsRefusedAsAWhole() {
    FakeTransport transport = new FakeTransport();
    core.add("fake", transport);
    core.create(Map.of("n", node("relay")));
    RingException refused =
        assertThrows(
            RingException.class,
            () -> core.set(Map.of("n", Map.of("next", "fake://bad", "spin_us", "7"))));
    assertEquals("next: bad is no place", refused.getMessage());
    files.set("io.isle.ring-n", Map.of("next", "fake://bad", "spin_us", "7"));
    core.filesChanged();
    RingFinding first = core.check("n").getFirst();
    assertTrue(first.text().startsWith("next: bad is no place"), first.text());
    assertEquals(50_000, spinNs());
    assertEquals(List.of("fake://b"), core.find("n").orElseThrow().info().next().addresses());
    assertEquals(0, transport.closed("n"), "open ports");
  }

  @Test
  void aNewFileWithAMistakeMakesNoNodeAndTheOthersAreMade() {
    files.set("io.isle.ring-n", node("relay", "park_ms", "-1"));
    files.set("io.isle.ring-o", node("relay"));
    core.filesChanged();
    RingFinding refused = core.check("n").getFirst();
    assertTrue(refused.text().startsWith("park_ms: "), refused.text());
    assertTrue(refused.text().endsWith("there is no such node"), refused.text());
    assertTrue(core.find("o").isPresent());
    RingException unknown = assertThrows(RingException.class, () -> core.check("p"));
    assertEquals(Errno.ENOENT, unknown.code());
  }

  @Test
  void settingsOfLinksKeepTheEndpointAndOthersEndIt() {
    core.create(Map.of("m", node("master")));
    RingEndpoint endpoint = open();
    core.set(Map.of("m", Map.of("spin_us", "9", "next", "fake://c")));
    assertEquals(-Errno.ENOTCONN, receive(endpoint));
    assertEquals(List.of("fake://c"), endpoint.info().next().addresses());
    core.set(Map.of("m", Map.of("layers", "3")));
    assertEquals(-Errno.ECLOSED, receive(endpoint));
    assertEquals(-Errno.ENOTCONN, receive(open()));
    assertTrue(core.remove("m"));
    assertFalse(core.remove("m"));
  }

  @Test
  void aRevokedEndpointMakesRoomForTheNextTenant() {
    core.create(Map.of("m", node("master")));
    RingEndpoint revoked = open();
    RingException busy = assertThrows(RingException.class, this::open);
    assertEquals(Errno.EBUSY, busy.code());
    capability.valid = false;
    core.revoked();
    // behind the work of the revocation
    assertEquals(List.of(), core.transports());
    assertEquals(-Errno.EREVOKED, receive(revoked));
    capability.valid = true;
    assertEquals(-Errno.ENOTCONN, receive(open()));
  }

  @Test
  void listenersHearOfEachChangeOfALink() throws InterruptedException {
    core.create(Map.of("m", node("master")));
    BlockingQueue<PortState> states = new LinkedBlockingQueue<>();
    try (RingEndpoint endpoint = open()) {
      endpoint.listen(info -> states.add(info.next().state()));
      FakeTransport transport = new FakeTransport();
      core.add("fake", transport);
      while (states.take() != PortState.CONNECTING) {
        // until the port is known
      }
      core.remove("fake", transport);
      while (states.take() != PortState.FAILED) {
        // until the port is gone
      }
    }
  }

  @Test
  void aVersionThatComesAndGoesParksAnew() {
    core.create(Map.of("a", node("relay", "park_ms", "200"), "b", node("relay", "park_ms", "200")));
    FakeTransport first = new FakeTransport();
    core.add("fake", first);
    core.remove("fake", first);
    FakeTransport second = new FakeTransport();
    core.add("fake", second);
    core.set(Map.of("a", Map.of("park_ms", "600000")));
    core.remove("fake", second);
    while (second.isParked("b")) {
      Thread.onSpinWait();
    }
    assertTrue(second.isParked("a"), "the time of the first version ends nothing of the second");
    FakeTransport third = new FakeTransport();
    core.add("fake", third);
    assertEquals(List.of("fake"), core.transports());
    assertTrue(third.adopted.contains("a"), "what is parked goes on");
    assertFalse(third.adopted.contains("b"), "what is dropped begins anew");
  }
}
