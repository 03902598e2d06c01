package io.isle.net.xdp.net;

import io.isle.api.net.NetException;
import io.isle.net.xdp.settings.NetSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The nets as their files come and go. Belongs to the executor of the nets. */
final class NetSet {
  private static final System.Logger LOG = System.getLogger(NetSet.class.getName());

  private final NetPlatform platform;
  private final Map<String, Net> nets = new TreeMap<>();
  private final Map<String, String> refused = new HashMap<>();

  NetSet(NetPlatform platform) {
    this.platform = platform;
  }

  Collection<Net> all() {
    return List.copyOf(nets.values());
  }

  Optional<Net> find(String name) {
    return Optional.ofNullable(nets.get(name));
  }

  /** Follows the files: a bad value leaves the settings of before in force, as a whole. */
  void follow(Map<String, Map<String, String>> files) {
    List<String> gone = new ArrayList<>(nets.keySet());
    gone.removeAll(files.keySet());
    gone.forEach(name -> nets.remove(name).close());
    refused.keySet().retainAll(files.keySet());
    files.forEach(this::apply);
  }

  private void apply(String name, Map<String, String> given) {
    NetSettings settings;
    try {
      settings = NetSettings.of(given);
      refused.remove(name);
    } catch (NetException e) {
      if (!e.getMessage().equals(refused.put(name, e.getMessage()))) {
        LOG.log(
            System.Logger.Level.WARNING,
            "{0}-{1}.cfg: {2}; {3}",
            NetSettings.FACTORY_PID,
            name,
            e.getMessage(),
            nets.containsKey(name)
                ? "the last good settings stay in force"
                : "there is no net " + name);
      }
      return;
    }
    Net net = nets.get(name);
    if (net == null) {
      nets.put(name, new Net(name, settings, platform));
    } else if (!net.settings().equals(settings)) {
      net.change(settings);
    }
  }

  /** Whether a net has tiles that move frames in the platform. */
  boolean areRunningHere() {
    return nets.values().stream().anyMatch(Net::isRunningHere);
  }

  /** The bundle of tiles has come or has gone. */
  void reload() {
    nets.values().forEach(Net::reload);
  }

  void close() {
    nets.values().forEach(Net::close);
    nets.clear();
  }
}
