package io.isle.faces.shell.accel;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelAdmin.ProgramInfo;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code accel:programs}. */
@Service
@Command(
    scope = "accel",
    name = "programs",
    description = "Lists the programs that contexts have loaded, of all devices or of one")
public final class ProgramsCommand extends IsleCommand {
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
            services().with(AccelAdmin.class, AccelAdmin::programs),
            ProgramInfo::device));
  }

  /** For tests. */
  ProgramsCommand of(String id) {
    device = id;
    return this;
  }

  private static Table<ProgramInfo> table() {
    return new Table<ProgramInfo>("No programs are loaded.")
        .column("id", ProgramInfo::id)
        .column("device", ProgramInfo::device)
        .column("context", ProgramInfo::context)
        .column("tenant", ProgramInfo::tenant)
        .column("kind", program -> program.kind().text())
        .jsonOnly("name", program -> program.name().isEmpty() ? null : program.name())
        .column("source_bytes", "source", ProgramInfo::sourceBytes, Sizes::bytes)
        .jsonOnly("options", ProgramInfo::options)
        .shownOnly("entries", program -> String.join("; ", program.entries()))
        .jsonOnly("entries", ProgramInfo::entries);
  }
}
