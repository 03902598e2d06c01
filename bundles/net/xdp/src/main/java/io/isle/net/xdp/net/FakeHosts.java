package io.isle.net.xdp.net;

import io.isle.api.net.NetException;
import io.isle.lib.packet.Ipv4;
import io.isle.net.xdp.netlink.Rtnetlink;
import io.isle.net.xdp.settings.NetSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The hosts that do not exist, to which apps of a net send. Belongs to the executor of the nets.
 */
final class FakeHosts implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(FakeHosts.class.getName());

  private final String netns;
  private final String interfaceName;
  private final int interfaceIndex;
  private final Rtnetlink kernel;
  private final HostFile notes;
  private final Map<String, Integer> addresses = new HashMap<>();

  FakeHosts(NetSettings settings, int interfaceIndex, Rtnetlink kernel, HostFile notes) {
    netns = settings.namespace();
    interfaceName = settings.interfaceName();
    this.interfaceIndex = interfaceIndex;
    this.kernel = kernel;
    this.notes = notes;
  }

  /**
   * Adds the host of an app, or takes the one that another app has added.
   *
   * @throws NetException as {@link FakeHost#add}
   */
  void add(String app, int address) {
    if (!addresses.containsValue(address)) {
      HostFile.Host note = note(address);
      notes.add(note);
      try {
        host(address).add();
      } catch (NetException e) {
        notes.remove(note);
        throw e;
      }
    }
    addresses.put(app, address);
  }

  /** The app has ended: its host goes, unless another app sends there. */
  void remove(String app) {
    Integer address = addresses.remove(app);
    if (address == null || addresses.containsValue(address)) {
      return;
    }
    try {
      host(address).remove();
      notes.remove(note(address));
    } catch (NetException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the route to {0} on {1} is left behind: {2}",
          Ipv4.text(address),
          interfaceName,
          e.getMessage());
    }
  }

  private FakeHost host(int address) {
    return new FakeHost(kernel, interfaceIndex, address);
  }

  private HostFile.Host note(int address) {
    return new HostFile.Host(netns, interfaceName, address);
  }

  /** Removes all. */
  @Override
  public void close() {
    List.copyOf(addresses.keySet()).forEach(this::remove);
  }
}
