package io.isle.faces.shell.display;

import io.isle.api.device.DisplayMode;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.display.DisplayAdmin;
import io.isle.api.display.DisplayInfo;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code display:modes}. */
@Service
@Command(
    scope = "display",
    name = "modes",
    description = "Lists the modes of the screen at a connector, with timings")
@RequiredRole(Role.VIEWER)
public final class ModesCommand extends ConnectorCommand {
  @Override
  protected void run(Output output) {
    DisplayInfo row = Rows.find(services(), device(), connector());
    DisplayMode now = row.status().flatMap(ScanoutStatus::mode).orElse(null);
    output.table(
        Rows.modes(now),
        services().with(DisplayAdmin.class, admin -> admin.modes(device(), connector())));
  }

  /** For tests. */
  ModesCommand of(String id, int number) {
    on(id, number);
    return this;
  }
}
