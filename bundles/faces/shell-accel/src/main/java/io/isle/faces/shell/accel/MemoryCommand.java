package io.isle.faces.shell.accel;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelAdmin.MemoryInfo;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code accel:memory}. */
@Service
@Command(
    scope = "accel",
    name = "memory",
    description = "Lists the allocations of device memory on all devices or on one")
@RequiredRole(Role.VIEWER)
public final class MemoryCommand extends DeviceListCommand<MemoryInfo> {
  public MemoryCommand() {
    super(table(), AccelAdmin::memory, MemoryInfo::device);
  }

  private static Table<MemoryInfo> table() {
    return new Table<MemoryInfo>("No device memory is allocated.")
        .column("id", MemoryInfo::id)
        .column("device", MemoryInfo::device)
        .column("context", MemoryInfo::context)
        .column("tenant", MemoryInfo::tenant)
        .column("bytes", "size", MemoryInfo::bytes, Sizes::bytes)
        .column("retained_bytes", "retained", MemoryInfo::retainedBytes, Sizes::bytes)
        .column("references", MemoryInfo::references)
        .column("contents", MemoryInfo::contents);
  }
}
