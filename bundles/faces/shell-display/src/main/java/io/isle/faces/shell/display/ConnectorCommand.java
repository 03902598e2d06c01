package io.isle.faces.shell.display;

import io.isle.faces.shell.IsleCommand;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Completion;

/** A command on one connector of a device. */
abstract class ConnectorCommand extends IsleCommand {
  @Argument(name = "device", description = "Id of the device, such as display0", required = true)
  @Completion(DeviceCompleter.class)
  private String device;

  @Argument(
      index = 1,
      name = "connector",
      description = "Number of the connector; display:list shows the numbers",
      required = true)
  @Completion(ConnectorCompleter.class)
  private int connector;

  final String device() {
    return device;
  }

  final int connector() {
    return connector;
  }

  /** For tests. */
  final void on(String id, int number) {
    device = id;
    connector = number;
  }
}
