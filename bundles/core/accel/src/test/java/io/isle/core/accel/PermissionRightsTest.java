package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import java.util.EnumSet;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each right (44.1) is asked for by what needs it. */
@Timeout(60)
class PermissionRightsTest {
  private static final ContextSpec SPEC = ContextSpec.named("mine");

  private final Fixture fixture = new Fixture();
  private final Accelerator device = fixture.accelerator();

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Does what needs the right, with it or without. */
  private void use(Permission right, Capability by) {
    switch (right) {
      case ACCEL_COMPUTE -> device.open(by, SPEC).close();
      case ACCEL_MEMORY -> device.open(by, SPEC).allocate(1, 0).close();
      case ACCEL_PREEMPT -> device.open(by, SPEC.withMaxExecutionUs(0)).close();
      case ACCEL_PERF -> {
        var ignored = device.open(by, SPEC).counters();
      }
      case ACCEL_POWER -> device.setPerformanceLevel(by, "low");
      case ACCEL_CONTEXT_RT ->
          device
              .open(by, SPEC.withPriority(Priority.REALTIME).withGuarantee(1_000, 1_000_000))
              .close();
      // for the screens of core/display; and there is no way from device to device yet
      case ACCEL_DISPLAY, ACCEL_P2P -> {}
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {
        "ACCEL_P2P",
        "ACCEL_DISPLAY",
        "FABRIC_RING",
        "NET_ATTACH",
        "NET_CAPTURE",
        "SPIN_ATTACH"
      })
  void whoLacksOneIsRefusedByItsName(Permission right) {
    fixture.lose();
    fixture.device.reports = true;
    fixture.online(fixture.device, 2);
    Capability without =
        fixture.capabilities.grant("without", EnumSet.complementOf(EnumSet.of(right)), 0);
    TenancyException refusal =
        assertThrows(TenancyException.class, () -> use(right, without), right::text);
    assertEquals(Errno.EACCES, refusal.code());
    assertTrue(refusal.getMessage().endsWith(right.text()), refusal.getMessage());
    use(right, fixture.all);
  }

  @Test
  void theirNumbersAreThoseOfTheFramework() {
    int next = 0x0100;
    for (Permission right : Permission.values()) {
      int number =
          switch (right) {
            case FABRIC_RING -> 0x0120;
            case NET_ATTACH -> 0x0200;
            case NET_CAPTURE -> 0x0201;
            case SPIN_ATTACH -> 0x0300;
            default -> next++;
          };
      assertEquals(number, right.id(), right.text());
      assertEquals(right, Permission.of(right.id()).orElseThrow());
    }
    assertEquals(Permission.ACCEL_CONTEXT_RT, Permission.of(0x0106).orElseThrow());
    assertEquals(12, Permission.values().length);
    assertEquals(Optional.empty(), Permission.of(next));
  }
}
