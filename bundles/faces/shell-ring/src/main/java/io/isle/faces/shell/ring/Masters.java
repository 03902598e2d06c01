package io.isle.faces.shell.ring;

import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.Rings;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Endpoints of masters for the time of a command, which is a tenant like any other. */
final class Masters {
  private Masters() {}

  /**
   * Calls {@code use} with the endpoint of a master; it is closed with the call.
   *
   * @param name of a master, or of a ring with one master on this platform
   * @param command for the audit log
   * @throws io.isle.api.fabric.RingException as {@link Rings#open} says
   */
  static <R> R with(Services services, String name, String command, Function<RingEndpoint, R> use) {
    String node = master(NodeRows.named(services, name), name);
    CapabilitySpec rights =
        new CapabilitySpec("ring:" + command, Set.of(Permission.FABRIC_RING), Optional.empty(), 0);
    return services.with(
        Rings.class,
        rings ->
            services.with(
                Capabilities.class,
                capabilities -> {
                  Capability capability = capabilities.issue(rights);
                  try (RingEndpoint endpoint = rings.open(capability, node)) {
                    return use.apply(endpoint);
                  } finally {
                    capabilities.revoke(capability);
                  }
                }));
  }

  private static String master(List<RingNodeInfo> found, String name) {
    if (found.size() == 1) {
      return found.getFirst().name();
    }
    List<String> masters =
        found.stream()
            .filter(node -> node.role() == RingRole.MASTER)
            .map(RingNodeInfo::name)
            .toList();
    if (masters.size() != 1) {
      throw ShellException.failed(
          "ring "
              + name
              + " has "
              + (masters.isEmpty() ? "no master" : "several masters, " + String.join(", ", masters))
              + " on this platform; name a master");
    }
    return masters.getFirst();
  }
}
