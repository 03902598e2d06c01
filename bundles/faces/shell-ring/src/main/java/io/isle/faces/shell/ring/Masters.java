package io.isle.faces.shell.ring;

import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.Rings;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.faces.shell.Services;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Endpoints of masters for the time of a command, which is a tenant like any other. */
final class Masters {
  private static final CapabilitySpec RIGHTS =
      new CapabilitySpec("shell", Set.of(Permission.FABRIC_RING), Optional.empty(), 0);

  private Masters() {}

  /**
   * Calls {@code use} with the endpoint of a master; it is closed with the call.
   *
   * @throws io.isle.api.fabric.RingException as {@link Rings#open} says
   */
  static <R> R with(Services services, String node, Function<RingEndpoint, R> use) {
    return services.with(
        Rings.class,
        rings ->
            services.with(
                Capabilities.class,
                capabilities -> {
                  Capability capability = capabilities.issue(RIGHTS);
                  try (RingEndpoint endpoint = rings.open(capability, node)) {
                    return use.apply(endpoint);
                  } finally {
                    capabilities.revoke(capability);
                  }
                }));
  }
}
