package io.isle.faces.shell.accel;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelAdmin.MemoryInfo;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code accel:memory}. */
@Service
@Command(
    scope = "accel",
    name = "memory",
    description = "Lists the pieces of device memory that are taken, of all devices or of one")
public final class MemoryCommand extends IsleCommand {
  @Argument(name = "device", description = "Id of the device, such as soft0; all if left out")
  @Completion(DeviceCompleter.class)
  private String device;

  @Override
  protected void run(Output output) {
    output.table(
        table(),
        DeviceFilter.keep(
            services(),
            device,
            services().with(AccelAdmin.class, AccelAdmin::memory),
            MemoryInfo::device));
  }

  /** For tests. */
  MemoryCommand of(String id) {
    device = id;
    return this;
  }

  private static Table<MemoryInfo> table() {
    return new Table<MemoryInfo>("No device memory is taken.")
        .column("id", MemoryInfo::id)
        .column("device", MemoryInfo::device)
        .column("context", MemoryInfo::context)
        .column("tenant", MemoryInfo::tenant)
        .column("bytes", "size", MemoryInfo::bytes, Sizes::bytes)
        .column("references", MemoryInfo::references)
        .column("contents", MemoryInfo::contents);
  }
}
