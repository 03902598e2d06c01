package io.isle.faces.shell.accel;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.ContextInfo;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import io.isle.faces.shell.Usages;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code accel:contexts}. */
@Service
@Command(
    scope = "accel",
    name = "contexts",
    description = "Lists the open contexts of all devices or of one")
@RequiredRole(Role.VIEWER)
public final class ContextsCommand extends DeviceListCommand<ContextInfo> {
  public ContextsCommand() {
    super(table(), AccelAdmin::contexts, ContextInfo::device);
  }

  private static Table<ContextInfo> table() {
    return EstimateColumns.add(
        Usages.fields(counts(), ContextInfo::usage)
            .shownOnly("given %", context -> Usages.share(context.usage().givenPercent()))
            .shownOnly("p99", context -> Usages.wait(context.usage())),
        ContextInfo::estimate);
  }

  private static Table<ContextInfo> counts() {
    return new Table<ContextInfo>("No open contexts. A running job opens contexts; see job:run.")
        .column("id", ContextInfo::id)
        .column("name", ContextInfo::name)
        .column("tenant", ContextInfo::tenant)
        .column("group", ContextInfo::group)
        .column("device", ContextInfo::device)
        .column("priority", context -> context.priority().text())
        .column("state", ContextInfo::state)
        .column("memory_bytes", "memory", ContextInfo::memoryBytes, Sizes::bytes)
        .jsonOnly("max_memory_bytes", ContextInfo::maxMemoryBytes)
        .jsonOnly("max_execution_ns", context -> nanos(context.maxExecutionUs()))
        .column("submitted", ContextInfo::submitted)
        .jsonOnly("completed", ContextInfo::completed)
        .column("failed", ContextInfo::failed)
        .column("pending", ContextInfo::pending)
        .column("in_flight", ContextInfo::inFlight)
        .column("busy_ns", "busy", ContextInfo::busyNs, Sizes::nanos);
  }

  /** Saturates: a limit beyond 292 years is as good as the longest one. */
  private static long nanos(long micros) {
    return micros > Long.MAX_VALUE / 1000 ? Long.MAX_VALUE : micros * 1000;
  }
}
