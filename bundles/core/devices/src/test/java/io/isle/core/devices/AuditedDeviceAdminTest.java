package io.isle.core.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceException;
import io.isle.api.device.HostFault;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.core.testing.RecordedAudit;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AuditedDeviceAdminTest {
  private final List<AuditEvent> written = new ArrayList<>();
  private final Audit book = new RecordedAudit(written::add);

  private final DeviceAdmin devices =
      (DeviceAdmin)
          Proxy.newProxyInstance(
              DeviceAdmin.class.getClassLoader(),
              new Class<?>[] {DeviceAdmin.class},
              (proxy, called, arguments) -> {
                if (arguments[0].equals("soft8")) {
                  throw new IllegalStateException("a defect");
                }
                if (arguments[0].equals("soft9")) {
                  throw new DeviceException(Errno.ENOENT, "no device soft9");
                }
                return null;
              });

  @Test
  void everyActionIsWrittenDownWithWhatBecameOfIt() {
    DeviceAdmin audited = new AuditedDeviceAdmin(devices, () -> book);
    audited.configure("soft0", Map.of("tier", "1", "enabled", "true"));
    audited.reload("soft0");
    audited.reset("soft0");
    audited.suspend("soft0");
    audited.resume("soft0");
    audited.injectFault("soft0", HostFault.KILL);
    assertThrows(DeviceException.class, () -> audited.reset("soft9"));
    assertThrows(IllegalStateException.class, () -> audited.reset("soft8"));
    assertEquals(
        List.of(
            "device.configure soft0 0 {enabled=true, tier=1}",
            "device.reload soft0 0 ",
            "device.reset soft0 0 ",
            "device.suspend soft0 0 ",
            "device.resume soft0 0 ",
            "device.inject-fault soft0 0 kill",
            "device.reset soft9 2 no device soft9",
            "device.reset soft8 5 java.lang.IllegalStateException: a defect"),
        written.stream()
            .map(e -> e.action() + " " + e.device() + " " + e.code() + " " + e.detail())
            .toList());
  }

  @Test
  void withoutABookItWorksTheSame() {
    new AuditedDeviceAdmin(devices, () -> null).reset("soft0");
    assertEquals(List.of(), written);
  }
}
