package io.isle.faces.shell.accel;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelAdmin.ProgramInfo;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code accel:programs}. */
@Service
@Command(
    scope = "accel",
    name = "programs",
    description = "Lists the loaded programs of contexts, on all devices or on one")
@RequiredRole(Role.VIEWER)
public final class ProgramsCommand extends DeviceListCommand<ProgramInfo> {
  public ProgramsCommand() {
    super(table(), AccelAdmin::programs, ProgramInfo::device);
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
