package io.isle.faces.shell.ring;

import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code ring:switch}. */
@Service
@Command(
    scope = "ring",
    name = "switch",
    description =
        "Moves links to another transport while packets travel: all links of a ring, or the link"
            + " from a node to its next node; waits up to 5 seconds until the links are up")
@RequiredRole(value = Role.ADMIN, reason = "Only administrators make, change and connect nodes.")
public final class SwitchCommand extends IsleCommand {
  @Argument(name = "name", description = "Name of a ring or of a node", required = true)
  @Completion(RingCompleter.class)
  private String name;

  @Option(
      name = "--transport",
      description = "How packets travel: tcp, udp or shm, as installed",
      required = true)
  @Completion(TransportCompleter.class)
  private String transport;

  @Override
  protected void run(Output output) {
    List<RingNodeInfo> all = services().with(RingAdmin.class, RingAdmin::nodes);
    CreateCommand.checkTransport(
        transport, services().with(RingAdmin.class, RingAdmin::transports));
    Map<String, Map<String, String>> changes =
        changes(NodeRows.named(services(), name), all, transport);
    if (changes.isEmpty()) {
      throw ShellException.failed(name + " uses " + transport + " already");
    }
    services()
        .with(
            RingAdmin.class,
            admin -> {
              admin.set(changes);
              return name;
            });
    List<RingNodeInfo> changed =
        Running.await(services(), List.copyOf(new TreeSet<>(changes.keySet())));
    output.table(NodeRows.list(), changed);
    Running.check(changed, name + " is set to " + transport);
  }

  /** For each node that changes, its new addresses. */
  private static Map<String, Map<String, String>> changes(
      List<RingNodeInfo> nodes, List<RingNodeInfo> all, String transport) {
    List<RingNodeInfo> moving = nodes.stream().filter(node -> !uses(node, transport)).toList();
    List<RingNodeInfo> next = moving.stream().map(node -> next(node, all)).toList();
    List<String> addresses =
        Addresses.of(transport, next.stream().map(RingNodeInfo::name).toList(), all);
    Map<String, Map<String, String>> changes = new TreeMap<>();
    for (int i = 0; i < moving.size(); i++) {
      put(changes, moving.get(i), "next", addresses.get(i));
      put(changes, next.get(i), "listen", addresses.get(i));
    }
    return changes;
  }

  private static void put(
      Map<String, Map<String, String>> changes, RingNodeInfo node, String key, String value) {
    String before = changes.computeIfAbsent(node.name(), any -> new TreeMap<>()).put(key, value);
    if (before != null) {
      throw ShellException.failed(
          node.name() + ": several nodes connect to it; correct next of one of them by ring:set");
    }
  }

  private static boolean uses(RingNodeInfo node, String transport) {
    return node.next().addresses().stream().allMatch(one -> one.startsWith(transport + "://"));
  }

  private static RingNodeInfo next(RingNodeInfo node, List<RingNodeInfo> all) {
    return all.stream()
        .filter(one -> one.ring().equals(node.ring()))
        .filter(one -> one.prev().addresses().stream().anyMatch(node.next().addresses()::contains))
        .findFirst()
        .orElseThrow(
            () ->
                ShellException.failed(
                    node.name()
                        + ": its next node is not on this platform; set listen there, then"
                        + " ring:set "
                        + node.name()
                        + " next=ADDRESS"));
  }

  /** For tests. */
  SwitchCommand of(String wanted, String by) {
    name = wanted;
    transport = by;
    return this;
  }
}
