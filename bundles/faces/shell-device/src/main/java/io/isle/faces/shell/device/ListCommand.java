package io.isle.faces.shell.device;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code device:list}. */
@Service
@Command(scope = "device", name = "list", description = "Lists the devices of this node")
public final class ListCommand extends IsleCommand {
  @Override
  protected void run(Output output) {
    output.table(DeviceRow.table(), DeviceRow.all(services()));
  }
}
