package io.isle.faces.shell.accel;

import io.isle.api.accel.AccelAdmin;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.function.Function;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Completion;

/**
 * Lists what there is on all devices, or on one.
 *
 * @param <T> of which there is a row each
 */
abstract class DeviceListCommand<T> extends IsleCommand {
  @Argument(name = "device", description = "Id of the device, such as soft0; all if left out")
  @Completion(DeviceCompleter.class)
  private String device;

  private final Table<T> table;
  private final Function<AccelAdmin, List<T>> all;
  private final Function<T, String> deviceOf;

  DeviceListCommand(
      Table<T> table, Function<AccelAdmin, List<T>> all, Function<T, String> deviceOf) {
    this.table = table;
    this.all = all;
    this.deviceOf = deviceOf;
  }

  @Override
  protected final void run(Output output) {
    List<T> rows = services().with(AccelAdmin.class, all);
    output.table(table, DeviceFilter.keep(services(), device, rows, deviceOf));
  }

  /** For tests. */
  final DeviceListCommand<T> of(String id) {
    device = id;
    return this;
  }
}
