package io.isle.faces.shell.net.nets;

import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetCounter;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.Table;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:stats}. */
@Service
@Command(
    scope = "net",
    name = "stats",
    description =
        "Shows the counters of the tiles and apps of a net by reason; those at 0 only with --all")
@RequiredRole(Role.VIEWER)
public final class StatsCommand extends IsleCommand {
  @Argument(name = "net", description = "Name of the net", required = true)
  @Completion(NetCompleter.class)
  private String net;

  @Option(name = "--all", description = "Also counters at 0")
  private boolean all;

  @Override
  protected void run(Output output) {
    List<NetCounter> rows =
        services().with(NetAdmin.class, admin -> admin.counters(net)).stream()
            .filter(one -> all || one.value() != 0)
            .toList();
    output.table(
        new Table<NetCounter>("All counters are at 0.")
            .column("tile", one -> one.tile() < 0 ? null : one.tile())
            .column("app", one -> one.app().isEmpty() ? null : one.app())
            .column("group", NetCounter::group)
            .column("counter", NetCounter::name)
            .whole()
            .column("value", NetCounter::value),
        rows);
  }

  /** For tests. */
  StatsCommand of(String name, boolean zeros) {
    net = name;
    all = zeros;
    return this;
  }
}
