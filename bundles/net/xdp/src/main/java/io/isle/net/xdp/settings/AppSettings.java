package io.isle.net.xdp.settings;

import io.isle.api.base.Setting;
import io.isle.api.net.FrameMatch;
import io.isle.api.net.NetInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checked settings of an app. Immutable.
 *
 * @param kind name of the kind; empty for an app of processes
 * @param uid user of the processes that may attach; -1 for a kind
 * @param nets names of nets
 * @param ports UDP ports, at most 16; kinds that read the tap have none
 * @param depth lines of each RX link, a power of two
 * @param instances that share the frames, 1 to {@link #INSTANCES}
 * @param onTile whether the tile's thread runs the app
 * @param own keys of the kind, which checks them
 */
public record AppSettings(
    String kind,
    long uid,
    List<String> nets,
    List<Integer> ports,
    int depth,
    int instances,
    boolean onTile,
    Map<String, String> own) {
  /** Of files {@code io.isle.netapp-NAME.cfg}. */
  public static final String FACTORY_PID = "io.isle.netapp";

  /** Most instances of an app, and most links from apps to a net. */
  public static final int INSTANCES = 32;

  /** Copies what is given. */
  public AppSettings {
    nets = List.copyOf(nets);
    ports = List.copyOf(ports);
    own = Map.copyOf(own);
  }

  /**
   * Checks values and fills defaults in.
   *
   * @throws io.isle.api.net.NetException EINVAL with the key and its limit
   */
  public static AppSettings of(Map<String, String> given) {
    Map<String, String> common = new HashMap<>(given);
    Map<String, String> own = new HashMap<>(given);
    common.keySet().retainAll(keys());
    keys().forEach(own::remove);
    Values values = new Values(AppKeys.SCHEMA, common, "an app");
    List<Integer> ports = values.ports(AppKeys.PORTS);
    long uid = values.whole(AppKeys.UID);
    // a kind without ports reads the tap
    if (ports.isEmpty() && uid >= 0 || ports.size() > FrameMatch.MAX_PORTS) {
      throw Values.refused(
          "ports: " + ports.size() + " are given; an app has 1 to " + FrameMatch.MAX_PORTS);
    }
    List<String> nets = values.list(AppKeys.NETS);
    if (nets.isEmpty() || !nets.stream().allMatch(net -> net.matches(NetInfo.NAME))) {
      throw Values.refused("nets: names of nets, separated by commas; see net:list");
    }
    if (uid >= 0 && !(values.text(AppKeys.KIND).isEmpty() && own.isEmpty())) {
      throw Values.refused(
          "uid: an app of processes has no kind, and no keys of a kind; remove one of both");
    }
    int instances = values.number(AppKeys.INSTANCES);
    boolean onTile = values.text(AppKeys.THREAD).equals("tile");
    if (onTile && instances > 1) {
      throw Values.refused(
          "instances: " + instances + "; an app on the thread of a tile has 1, set thread = own");
    }
    return new AppSettings(
        uid >= 0 ? "" : kind(values),
        uid,
        nets,
        ports,
        values.powerOfTwo(AppKeys.DEPTH),
        instances,
        onTile,
        own);
  }

  private static String kind(Values values) {
    String kind = values.text(AppKeys.KIND);
    if (!kind.matches(NetInfo.NAME)) {
      throw Values.refused("kind: '" + Values.shown(kind) + "'; a kind such as echo");
    }
    return kind;
  }

  /**
   * Checks the keys of the kind.
   *
   * @param keys those that the kind has
   * @throws io.isle.api.net.NetException EINVAL with the key and its limit
   */
  public void check(List<Setting> keys) {
    Values ignored = new Values(keys, own, "an app of kind " + kind);
  }

  /** Keys that every app has. */
  public static List<String> keys() {
    return AppKeys.SCHEMA.stream().map(Setting::key).toList();
  }
}
