package io.isle.core.tenancy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.testing.RecordedAudit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AuditedCapabilitiesTest {
  private final List<AuditEvent> written = new ArrayList<>();
  private final Audit book = new RecordedAudit(written::add);
  private final AuditedCapabilities capabilities =
      new AuditedCapabilities(new CapabilityTable(2, revoked -> {}), () -> book);

  private static CapabilitySpec spec(String tenant, Permission... permissions) {
    return new CapabilitySpec(tenant, Set.of(permissions), Optional.of("soft0"), 0);
  }

  @Test
  void givingAndTakingIsWrittenDownUnderTheTenantsName() {
    Capability root =
        capabilities.issue(spec("job:1", Permission.ACCEL_MEMORY, Permission.ACCEL_COMPUTE));
    Capability child = capabilities.delegate(root, spec("job:1:part", Permission.ACCEL_COMPUTE));
    capabilities.revoke(root);
    capabilities.revoke(root);
    assertEquals(
        List.of("capability.issue", "capability.delegate", "capability.revoke"),
        written.stream().map(AuditEvent::action).toList());
    AuditEvent issued = written.getFirst();
    assertEquals("tenant:job:1", issued.actor());
    assertEquals(Ids.text(root.id()), issued.object());
    assertEquals("job:1: accel_compute accel_memory, only soft0", issued.detail());
    assertEquals(root.id(), written.get(1).capability());
    assertEquals(Ids.text(child.id()), written.get(1).object());
  }

  @Test
  void thePlatformTakesBackInItsOwnName() {
    Capability one = capabilities.issue(spec("job:1", Permission.ACCEL_COMPUTE));
    capabilities.issue(spec("job:2", Permission.ACCEL_COMPUTE));
    new GroupCapabilities(capabilities, Capability::tenant).revoke(one.tenant());
    assertEquals("capability.revoke", written.getLast().action());
    assertEquals("isle", written.getLast().actor());
    assertEquals(Ids.text(one.id()), written.getLast().object());
    assertEquals(3, written.size());
  }

  @Test
  void refusalsAreWrittenDownWithTheirCode() {
    Capability one = capabilities.issue(spec("job:1", Permission.ACCEL_COMPUTE));
    capabilities.check(one, Permission.ACCEL_COMPUTE, "soft0");
    assertThrows(
        TenancyException.class, () -> capabilities.check(one, Permission.ACCEL_POWER, "soft0"));
    assertThrows(TenancyException.class, () -> capabilities.issue(spec("bad name")));
    assertEquals(
        List.of(0, Errno.EACCES, Errno.EINVAL), written.stream().map(AuditEvent::code).toList());
    assertTrue(written.get(1).detail().contains("lacks accel_power"), written.get(1).detail());
    assertEquals("soft0", written.get(1).device());
  }

  @Test
  void withoutABookItWorksTheSame() {
    AuditedCapabilities alone =
        new AuditedCapabilities(new CapabilityTable(1, revoked -> {}), () -> null);
    assertTrue(alone.issue(spec("job:1", Permission.ACCEL_COMPUTE)).valid());
  }
}
