package io.isle.faces.shell.device;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code device:set}. */
@Service
@Command(
    scope = "device",
    name = "set",
    description =
        "Changes settings of a device: writes the settings to the device's file and applies them"
            + " at once")
@RequiredRole(value = Role.ADMIN, reason = "New settings can interrupt the device's work.")
public final class SetCommand extends IsleCommand {
  @Argument(name = "id", description = "Id of the device, such as soft0", required = true)
  @Completion(DeviceCompleter.class)
  private String id;

  @Argument(
      index = 1,
      name = "settings",
      description =
          "One or more settings KEY=VALUE; KEY= restores the default; driver:info lists the keys",
      required = true,
      multiValued = true)
  private List<String> settings;

  @Override
  protected void run(Output output) {
    Map<String, String> changes = new LinkedHashMap<>();
    for (String setting : settings) {
      int at = setting.indexOf('=');
      if (at < 1) {
        throw ShellException.usage("'" + setting + "' is not a setting of the form KEY=VALUE");
      }
      String value = setting.substring(at + 1);
      changes.put(setting.substring(0, at), value.isEmpty() ? null : value);
    }
    Action.run(services(), output, id, (admin, device) -> admin.configure(device, changes));
  }

  /** For tests. */
  SetCommand of(String device, String... wanted) {
    id = device;
    settings = List.of(wanted);
    return this;
  }
}
