package io.isle.fabric.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingException;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.testing.FakeCapabilities;
import io.isle.core.testing.RecordedAudit;
import io.isle.fabric.ring.admin.CounterTotals;
import io.isle.fabric.ring.admin.MemoryFiles;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may do what, and what the audit log has of it. */
@Timeout(60)
class RingsComponentTest {
  private static final Map<String, String> MASTER =
      Map.of(
          "role", "master", "dim", "64", "layers", "4", "listen", "fake://a", "next", "fake://b");

  private final List<AuditEvent> events = new CopyOnWriteArrayList<>();
  private final Audit audit = new RecordedAudit(events::add);
  private final RingCore core =
      new RingCore(
          new MemoryFiles(), new CounterTotals(), new NoParts(), (ring, teller, change) -> {});
  private final FakeCapabilities capabilities = new FakeCapabilities();
  private final RingsComponent rings = new RingsComponent(core, capabilities, () -> audit);
  private final AuditedRings admin = new AuditedRings(core, () -> audit);

  @BeforeEach
  void make() {
    core.create(Map.of("m", MASTER));
  }

  @AfterEach
  void close() {
    rings.deactivate();
    core.close();
  }

  private Capability grant() {
    return capabilities.grant("t", Permission.FABRIC_RING);
  }

  private AuditEvent last() {
    return events.getLast();
  }

  @Test
  void anEndpointNeedsThePermissionAndAMaster() {
    Capability other = capabilities.grant("t", Permission.ACCEL_COMPUTE);
    TenancyException denied = assertThrows(TenancyException.class, () -> rings.open(other, "m"));
    assertEquals(Errno.EACCES, denied.code());
    RingException unknown = assertThrows(RingException.class, () -> rings.open(grant(), "nobody"));
    assertEquals(Errno.ENOENT, unknown.code());
    assertEquals("ring.open nobody " + Errno.ENOENT, text(last()));
    rings.open(grant(), "m").close();
    assertEquals("ring.open m 0", text(last()));
    assertEquals("tenant:t", last().actor());
  }

  private static String text(AuditEvent event) {
    return event.action() + " " + event.object() + " " + event.code();
  }

  @Test
  void aResizeIsRecordedWithItsOutcome() {
    try (RingEndpoint endpoint = rings.open(grant(), "m")) {
      assertThrows(RingException.class, () -> endpoint.resize(List.of(3, 9)));
      assertEquals("ring.resize m " + Errno.EINVAL, text(last()));
      assertTrue(last().detail().contains("boundary 2 is 9, not in 1..4"), last().detail());
    }
  }

  @Test
  void theEndOfTheBundleClosesItsEndpoints() {
    RingEndpoint endpoint = rings.open(grant(), "m");
    rings.deactivate();
    long code = endpoint.recvPrev(Arena.ofAuto().allocate(264), 0, 264, 0);
    assertEquals(-Errno.ECLOSED, code);
    RingException late = assertThrows(RingException.class, () -> rings.open(grant(), "m"));
    assertEquals(Errno.ECLOSED, late.code());
    new RingsComponent(core, capabilities, () -> audit).open(grant(), "m").close();
  }

  @Test
  void changesOfNodesAreRecordedWithTheirOutcome() {
    admin.create("n", MASTER);
    assertEquals("ring.create n 0", text(last()));
    assertTrue(last().detail().contains("role=master"), last().detail());
    assertThrows(RingException.class, () -> admin.create("n", MASTER));
    assertEquals("ring.create n " + Errno.EEXIST, text(last()));
    assertThrows(RingException.class, () -> admin.set("n", Map.of("dim", "x")));
    assertEquals("ring.set n " + Errno.EINVAL, text(last()));
    assertTrue(admin.remove("n"));
    assertEquals("ring.remove n 0", text(last()));
    int before = events.size();
    assertFalse(admin.remove("n"));
    assertEquals(before, events.size(), "nothing was done");
  }
}
