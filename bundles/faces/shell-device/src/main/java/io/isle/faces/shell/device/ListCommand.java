package io.isle.faces.shell.device;

import io.isle.api.driver.Drivers;
import io.isle.api.driver.Drivers.DriverStatus;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code device:list}; for people also a line for each driver that says why it found none. */
@Service
@Command(scope = "device", name = "list", description = "Lists the devices of this node")
@RequiredRole(Role.VIEWER)
public final class ListCommand extends IsleCommand {
  @Override
  protected void run(Output output) {
    output.table(DeviceRow.table(), DeviceRow.all(services()));
    if (!output.json()) {
      services()
          .ifThere(Drivers.class, Drivers::list)
          .orElse(List.of())
          .forEach(driver -> line(driver, output));
    }
  }

  private static void line(DriverStatus driver, Output output) {
    if (driver.devices().isEmpty() && !driver.missing().isEmpty()) {
      output.line("driver " + driver.info().name() + " has no device: " + driver.missing());
    }
  }
}
