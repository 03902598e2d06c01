package io.isle.net.xdp.configure;

import io.isle.api.net.ConfigureStage;
import io.isle.api.net.NetInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The settings of each stage. */
final class Knobs {
  private static final String LOOPBACK = "lo";

  private static final List<String> OFFLOADS =
      List.of("rx-gro", "rx-udp-gro-forwarding", "tx-gre-segmentation", "tx-gre-csum-segmentation");

  private Knobs() {}

  static List<Knob> of(NetInterface target, Set<ConfigureStage> stages, Ethtool ethtool) {
    List<Knob> knobs = new ArrayList<>();
    if (stages.contains(ConfigureStage.SYSCTL)) {
      knobs.add(new SysctlKnob(LOOPBACK, "rp_filter", "2"));
      knobs.add(new SysctlKnob(LOOPBACK, "accept_local", "1"));
      knobs.add(new SysctlKnob(LOOPBACK, "route_localnet", "1"));
    }
    if (stages.contains(ConfigureStage.OFFLOADS)) {
      OFFLOADS.forEach(
          name ->
              knobs.add(new FeatureKnob(ethtool, ConfigureStage.OFFLOADS, target.name(), name)));
    }
    if (stages.contains(ConfigureStage.LOOPBACK)) {
      knobs.add(new FeatureKnob(ethtool, ConfigureStage.LOOPBACK, LOOPBACK, "tx-udp-segmentation"));
    }
    if (stages.contains(ConfigureStage.CHANNELS)) {
      knobs.add(new ChannelsKnob(ethtool, target.name(), target.tiles()));
    }
    return knobs;
  }
}
