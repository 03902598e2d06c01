package io.isle.faces.shell.driver;

import io.isle.api.device.DeviceTree;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryLog;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Recoveries;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.util.List;
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
        "Lists the recoveries of devices since the node started, or shows one: cause, phases,"
            + " times")
@RequiredRole(Role.VIEWER)
public final class HistoryCommand extends IsleCommand {
  @Argument(name = "device", description = "Id of the device, such as soft0; all if left out")
  @Completion(DeviceCompleter.class)
  private String id;

  @Argument(
      index = 1,
      name = "number",
      description = "Number of one recovery of the device, to show that recovery in full")
  private Long number;

  @Override
  protected void run(Output output) {
    if (id != null && !services().with(DeviceTree.class, tree -> tree.find(id).isPresent())) {
      throw ShellException.failed("no device " + id + "; see device:list");
    }
    List<Recovery> recoveries =
        services().with(RecoveryLog.class, log -> id == null ? log.all() : log.of(id));
    if (number == null) {
      output.table(Recoveries.table(), recoveries);
    } else {
      show(output, find(recoveries));
    }
  }

  private Recovery find(List<Recovery> recoveries) {
    return recoveries.stream()
        .filter(recovery -> recovery.number() == number)
        .findFirst()
        .orElseThrow(
            () ->
                ShellException.failed(
                    id + " has no recovery " + number + "; driver:history " + id + " lists them"));
  }

  private static void show(Output output, Recovery recovery) {
    if (output.json()) {
      output.document(Recoveries.table().object(recovery));
    } else {
      Recoveries.details(recovery).forEach(output::line);
    }
  }

  /** For tests. */
  HistoryCommand of(String device, Long one) {
    id = device;
    number = one;
    return this;
  }
}
