package io.isle.faces.shell.spin.nics;

import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ExecutionContext;
import io.isle.api.spin.NicAdmin;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.function.Function;

/** Contexts as rows of tables. */
final class ContextRows {
  static final String NONE = "No contexts; a file io.isle.spin-NAME.cfg makes one.";

  private ContextRows() {}

  /**
   * The context of a name, or all.
   *
   * @param name null for all
   */
  static List<ContextInfo> named(Services services, String name) {
    List<ContextInfo> found = left(services, name);
    if (found.isEmpty() && name != null) {
      throw missing(name);
    }
    return found;
  }

  /** As {@link #named}, but a context may be gone. */
  static List<ContextInfo> left(Services services, String name) {
    return services.with(NicAdmin.class, NicAdmin::contexts).stream()
        .filter(context -> name == null || context.name().equals(name))
        .toList();
  }

  /** Does something with a context that is attached. */
  static <T> T with(Services services, String name, Function<ExecutionContext, T> work) {
    return services.with(
        NicAdmin.class, admin -> work.apply(admin.find(name).orElseThrow(() -> missing(name))));
  }

  private static ShellException missing(String name) {
    return ShellException.failed(
        "no context '"
            + (name.length() > 40 ? name.substring(0, 40) + "..." : name)
            + "' is attached; see spin:contexts");
  }

  static Table<ContextInfo> list() {
    return new Table<ContextInfo>(NONE)
        .column("context", ContextInfo::name)
        .whole()
        .column("nic", ContextInfo::nic)
        .column("slot", context -> context.slot() < 0 ? null : context.slot())
        .column("handlers", ContextInfo::handlers)
        .column("rules", ContextInfo::rules)
        .column("tenant", ContextInfo::tenant)
        .spare()
        .column("group", ContextInfo::group)
        .column(
            "configured",
            "configured",
            ContextInfo::configured,
            any -> Boolean.TRUE.equals(any) ? "yes" : "no")
        .spare()
        .column("state", context -> context.state().text())
        .whole()
        .column("slots", ContextInfo::slots)
        .column("packets", context -> context.stats().packets())
        .column("messages", context -> context.stats().messages())
        .column("drops", context -> context.stats().drops())
        .column("traps", context -> context.stats().traps())
        .column("reason", context -> context.reason().isEmpty() ? null : context.reason());
  }
}
