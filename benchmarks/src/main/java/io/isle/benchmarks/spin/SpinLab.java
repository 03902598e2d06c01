package io.isle.benchmarks.spin;

import io.isle.api.base.ConfigFiles;
import io.isle.api.net.LabSide;
import io.isle.api.net.Labs;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ExecutionContext;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.Nics;
import io.isle.api.spin.RulesetPreset;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.benchmarks.Commands;
import io.isle.benchmarks.Settings;
import io.isle.benchmarks.embedded.EmbeddedPlatform;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.BundleException;

/**
 * A platform with an interface that runs handlers in a lab, and a lab with peers, so that both stay
 * open while they are measured in turn.
 */
final class SpinLab implements AutoCloseable {
  /** Address of who answers, in both labs. */
  static final String SERVER = "198.18.0.2";

  /** Port of who answers datagrams. */
  static final String PORT = "9000";

  /** Processor of clients, of the interface, and of the peer; HPUs spin on the other one. */
  static final String CPU = "1";

  private static final String NIC = "bench";
  private static final String HPU_SPIN_US = "1000";
  private static final String OURS = "ours";
  private static final int REFUSED = 3;

  private final EmbeddedPlatform platform;
  private final LabSide client;
  private final LabSide peerClient;
  private final PeerProgram server;

  SpinLab(Settings settings) throws IOException, BundleException {
    platform = EmbeddedPlatform.ofNics(settings);
    boolean up = false;
    try {
      Labs labs = platform.service(Labs.class);
      client = labs.createWithHost(OURS, 1).getFirst();
      List<LabSide> peers = labs.create("peers", 1);
      peerClient = peers.get(0);
      server = new PeerProgram(settings, CPU, "echo", peers.get(1).netns(), SERVER, PORT);
      ConfigFiles files = platform.service(ConfigFiles.class);
      files.set("io.isle.agents", Map.of("cpu", "spin-* " + CPU));
      files.set("io.isle.device-spin0", Map.of("driver", "spin", "hpu_spin_us", HPU_SPIN_US));
      platform.settle();
      files.set(
          "io.isle.nic-" + NIC, Map.of("port", "packet:lab:ours:vb", "host", "packet:lab:ours:ha"));
      EmbeddedPlatform.await(
          "the interface is there", () -> platform.service(Nics.class).find(NIC).isPresent());
      up = true;
    } finally {
      if (!up) {
        platform.close();
      }
    }
  }

  /** Why this process may not make labs; empty if it may. */
  static String refusal(Settings settings) throws IOException, InterruptedException {
    try {
      String tool = settings.nativeDirectory().resolve("bench-xsk").toString();
      String ignored = Commands.output(List.of(tool, "check"));
      return "";
    } catch (Commands.FailedException e) {
      if (e.code() != REFUSED) {
        throw e;
      }
      return e.getMessage().strip();
    }
  }

  /** Attaches handlers, until the result is closed. */
  ExecutionContext attach(HandlerImage image, RulesetPreset rules) {
    CapabilitySpec all =
        new CapabilitySpec("bench", EnumSet.allOf(Permission.class), Optional.empty(), 0);
    return platform
        .service(Nics.class)
        .find(NIC)
        .orElseThrow()
        .attach(
            platform.service(Capabilities.class).issue(all),
            ContextSpec.of(image.name(), image).withRules(rules.ruleset()));
  }

  /** Namespace of our client. */
  String client() {
    return client.netns();
  }

  /** Namespace of the peer's client. */
  String peerClient() {
    return peerClient.netns();
  }

  @Override
  public void close() throws IOException {
    try {
      server.close();
    } finally {
      platform.close();
    }
  }
}
