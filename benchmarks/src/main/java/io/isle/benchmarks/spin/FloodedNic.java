package io.isle.benchmarks.spin;

import io.isle.api.base.ConfigFiles;
import io.isle.api.net.port.FramePortFactory;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ExecutionContext;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.Nics;
import io.isle.api.spin.Rulesets;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.Groups;
import io.isle.api.tenancy.Permission;
import io.isle.benchmarks.Settings;
import io.isle.benchmarks.embedded.EmbeddedPlatform;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.BundleException;
import org.osgi.framework.ServiceRegistration;

/**
 * A platform with an interface that has more packets for each of two groups than these can handle.
 * One task runs at a time, on a processor that the interface's agent leaves free.
 */
final class FloodedNic implements AutoCloseable {
  private static final String NIC = "bench";
  private static final String AGENT_CPU = "1";
  private static final List<String> GROUPS = List.of("first", "second");

  private final EmbeddedPlatform platform;

  /**
   * Boots it.
   *
   * @param weights of the two groups
   * @param device further settings of the HPUs
   */
  FloodedNic(Settings settings, int[] weights, Map<String, String> device)
      throws IOException, BundleException {
    platform = EmbeddedPlatform.ofNics(settings);
    boolean up = false;
    try {
      ServiceRegistration<?> ignored =
          platform
              .context()
              .registerService(
                  FramePortFactory.class,
                  new FloodPorts(),
                  new Hashtable<>(Map.of(FramePortFactory.SCHEME, FloodPorts.NAME)));
      ConfigFiles files = platform.service(ConfigFiles.class);
      files.set("io.isle.agents", Map.of("cpu", "spin-* " + AGENT_CPU));
      files.set("io.isle.device-spin0", device);
      platform.settle();
      files.set("io.isle.nic-" + NIC, Map.of("port", FloodPorts.NAME + ":memory", "parallel", "1"));
      for (int i = 0; i < weights.length; i++) {
        create(GROUPS.get(i), weights[i]);
      }
      EmbeddedPlatform.await(
          "the interface is there", () -> platform.service(Nics.class).find(NIC).isPresent());
      up = true;
    } finally {
      if (!up) {
        platform.close();
      }
    }
  }

  private void create(String group, int weight) {
    Map<String, String> keys = Map.of("spin.weight", Integer.toString(weight));
    Group ignored = platform.service(Groups.class).create(GroupSpec.of(group, keys));
  }

  /** Attaches handlers of a group, 0 or 1, for its packets, until the result is closed. */
  ExecutionContext attach(int group, HandlerImage image) throws IOException, InterruptedException {
    String name = GROUPS.get(group);
    CapabilitySpec all =
        new CapabilitySpec(name, EnumSet.allOf(Permission.class), Optional.empty(), 0);
    String rules = "AND IP IP_PROTO(17) UDP_DPORT(" + FloodPort.TENANTS[group] + ") EOM FALSE";
    ExecutionContext context =
        platform
            .service(Nics.class)
            .find(NIC)
            .orElseThrow()
            .attach(
                platform.service(Capabilities.class).issue(all.inGroup(name)),
                ContextSpec.of(name, image).withRules(Rulesets.parse(rules).all().getFirst()));
    HpuProcesses.pin();
    return context;
  }

  @Override
  public void close() {
    platform.close();
  }
}
