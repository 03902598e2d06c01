package io.isle.faces.shell.ring;

import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingCounter;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code ring:status}. */
@Service
@Command(
    scope = "ring",
    name = "status",
    description =
        "Shows nodes in the order of their ring, also those of other platforms by the roll call of a"
            + " master: state, paths, layers, times of a hop, lost and repaired packets, last error"
            + " with its remedy")
@RequiredRole(Role.VIEWER)
public final class StatusCommand extends IsleCommand {
  @Argument(name = "name", description = "Name of a ring or of a node; all if left out")
  @Completion(RingCompleter.class)
  private String name;

  @Option(
      name = "--counters",
      description = "Instead, all counters isle_ring_*, which survive restarts of bundles")
  private boolean counters;

  @Override
  protected void run(Output output) {
    if (!counters) {
      output.table(StatusTable.table(), StatusRows.named(services(), name));
      return;
    }
    List<RingNodeInfo> nodes = NodeRows.named(services(), name);
    Set<String> names = nodes.stream().map(RingNodeInfo::name).collect(Collectors.toSet());
    List<RingCounter> all = services().with(RingAdmin.class, RingAdmin::counters);
    output.table(table(), all.stream().filter(one -> names.contains(one.node())).toList());
  }

  private static Table<RingCounter> table() {
    return new Table<RingCounter>("No nodes of rings; ring:create makes one.")
        .column("counter", RingCounter::name)
        .whole()
        .column("ring", RingCounter::ring)
        .column("node", RingCounter::node)
        .column("side", one -> one.side().map(side -> side.text()).orElse(null))
        .column("value", RingCounter::value);
  }

  /** For tests. */
  StatusCommand of(String wanted, boolean ofCounters) {
    name = wanted;
    counters = ofCounters;
    return this;
  }
}
