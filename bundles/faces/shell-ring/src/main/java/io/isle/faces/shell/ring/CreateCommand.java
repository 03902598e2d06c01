package io.isle.faces.shell.ring;

import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingPlan;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code ring:create}. */
@Service
@Command(
    scope = "ring",
    name = "create",
    description =
        "Makes a ring on this machine, all of it or nothing: writes the files of a master NAME-0 and"
            + " of workers NAME-1, NAME-2, ..., and waits up to 5 seconds until they run")
@RequiredRole(value = Role.ADMIN, reason = "Only administrators make, change and connect nodes.")
public final class CreateCommand extends IsleCommand {
  private static final int DIM = 1024;

  @Argument(name = "name", description = "Name of the ring", required = true)
  private String name;

  @Option(name = "--nodes", description = "Number of nodes, 2 to 17", required = true)
  private int nodes;

  @Option(
      name = "--transport",
      description = "How packets travel: tcp, udp or shm, as installed",
      required = true)
  @Completion(TransportCompleter.class)
  private String transport;

  @Option(name = "--dim", description = "Numbers of 4 bytes in a packet; 1024 if left out")
  private int dim = DIM;

  @Option(name = "--stage", description = "Work of the workers: pass (default) or mix")
  private String stage = "pass";

  @Option(
      name = "--layers",
      description =
          "Layers of the model, divided evenly among all nodes; a layer a node if left out")
  private Integer layers;

  @Option(name = "--dialect", description = "Protocol of the links: isle (default) or leap")
  private String dialect = "isle";

  @Option(
      name = "--process",
      description =
          "Where the workers run: shared (default), the process of the platform, or own, a process"
              + " for each")
  @Completion(ProcessCompleter.class)
  private String process = "shared";

  @Override
  protected void run(Output output) {
    Map<String, String> common =
        Map.of("dim", Integer.toString(dim), "prev.dialect", dialect, "next.dialect", dialect);
    List<String> names =
        Running.changed(
            services(),
            admin ->
                admin.create(
                    new RingPlan(
                        name,
                        nodes,
                        transport,
                        layers == null ? nodes : layers,
                        common,
                        Map.of("stage", stage, "process", process))));
    List<RingNodeInfo> made = Running.await(services(), names);
    output.table(NodeRows.list(), made);
    Running.check(made, "ring " + name + " is made");
  }

  /** For tests. */
  CreateCommand ownProcesses() {
    process = "own";
    return this;
  }

  /** For tests. */
  CreateCommand of(String ring, int count, String by, Integer modelLayers) {
    name = ring;
    nodes = count;
    transport = by;
    layers = modelLayers;
    return this;
  }
}
