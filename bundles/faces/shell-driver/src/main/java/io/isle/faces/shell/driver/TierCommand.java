package io.isle.faces.shell.driver;

import io.isle.api.device.DeviceAdmin;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code driver:tier}. */
@Service
@Command(
    scope = "driver",
    name = "tier",
    description =
        "Moves the driver of a device into the platform's process (tier 1) or into a separate"
            + " process (tier 2)")
@RequiredRole(value = Role.ADMIN, reason = "A change of the tier interrupts the device's work.")
public final class TierCommand extends IsleCommand {
  @Argument(name = "device", description = "Id of the device, such as soft0", required = true)
  @Completion(DeviceCompleter.class)
  private String id;

  @Argument(index = 1, name = "tier", description = "1 or 2", required = true)
  @Completion(TierCompleter.class)
  private String tier;

  @Override
  protected void run(Output output) {
    if (!tier.equals("1") && !tier.equals("2")) {
      throw ShellException.usage(
          "tier '" + tier + "' is neither 1 (the platform's process) nor 2 (a separate process)");
    }
    services()
        .with(
            DeviceAdmin.class,
            admin -> {
              admin.configure(id, Map.of("tier", tier));
              return true;
            });
    Outcome.print(services(), output, List.of(id));
  }

  /** For tests. */
  TierCommand of(String device, String wanted) {
    id = device;
    tier = wanted;
    return this;
  }
}
