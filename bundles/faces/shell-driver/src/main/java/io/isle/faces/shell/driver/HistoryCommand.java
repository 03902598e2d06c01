package io.isle.faces.shell.driver;

import io.isle.api.device.DeviceTree;
import io.isle.api.device.RecoveryLog;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Recoveries;
import io.isle.faces.shell.ShellException;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code driver:history}. */
@Service
@Command(
    scope = "driver",
    name = "history",
    description =
        "Shows the recoveries of devices since the node started, with their phases and times")
public final class HistoryCommand extends IsleCommand {
  @Argument(name = "device", description = "Id of the device, such as soft0; all if left out")
  @Completion(DeviceCompleter.class)
  private String id;

  @Override
  protected void run(Output output) {
    if (id != null && !services().with(DeviceTree.class, tree -> tree.find(id).isPresent())) {
      throw ShellException.failed("no device " + id + "; see device:list");
    }
    output.table(
        Recoveries.table(),
        services().with(RecoveryLog.class, log -> id == null ? log.all() : log.of(id)));
  }

  /** For tests. */
  HistoryCommand of(String device) {
    id = device;
    return this;
  }
}
