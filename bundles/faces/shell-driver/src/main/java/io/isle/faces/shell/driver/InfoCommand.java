package io.isle.faces.shell.driver;

import io.isle.api.base.Setting;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceTree;
import io.isle.api.driver.Drivers.DriverStatus;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.Table;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code driver:info}. */
@Service
@Command(
    scope = "driver",
    name = "info",
    description =
        "Shows a driver and the settings of its devices, or the running driver of a device:"
            + " process, standby, interfaces, sandbox")
@RequiredRole(Role.VIEWER)
public final class InfoCommand extends IsleCommand {
  @Argument(
      name = "name",
      description = "Name of the driver, such as soft, or id of a device, such as soft0",
      required = true)
  @Completion(TargetCompleter.class)
  private String name;

  @Override
  protected void run(Output output) {
    Optional<DeviceNode> device =
        services().ifThere(DeviceTree.class, tree -> tree.find(name)).flatMap(found -> found);
    if (device.isPresent()) {
      RunningDriver.print(services(), output, device.get());
      return;
    }
    DriverStatus driver = DriverRows.find(services(), name);
    Map<String, Object> info = new LinkedHashMap<>(DriverRows.table().object(driver));
    info.put("devices", driver.devices());
    Table<Setting> settings = settings();
    if (output.json()) {
      info.put("settings", driver.info().settings().stream().map(settings::object).toList());
      output.document(info);
      return;
    }
    info.put("devices", String.join(" ", driver.devices()));
    info.forEach(
        (key, value) -> output.line(String.format("%-10s%s", key, value == null ? "-" : value)));
    output.line("");
    output.table(settings, driver.info().settings());
  }

  /** For tests. */
  InfoCommand of(String driver) {
    name = driver;
    return this;
  }

  private static Table<Setting> settings() {
    return new Table<Setting>(
            "Devices of this driver have no settings besides those of all devices.")
        .column("key", "setting", Setting::key, String::valueOf)
        .column("type", setting -> setting.type().name().toLowerCase(Locale.ROOT))
        .column("default", Setting::defaultValue)
        .column("values", InfoCommand::values)
        .column("help", Setting::help);
  }

  private static String values(Setting setting) {
    return switch (setting.type()) {
      case INT, BYTES -> setting.min() + ".." + setting.max();
      case BOOL -> "true false";
      case ENUM -> String.join(" ", setting.choices());
      case STRING -> "text";
    };
  }
}
