package io.isle.net.xdp.configure;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.NetInterface;
import io.isle.net.xdp.settings.NetSettings;
import java.util.Map;

/** Interfaces of nets, by the nets' settings. */
public final class NetTargets {
  private NetTargets() {}

  /**
   * The interface of a net, whether the net runs or not.
   *
   * @param nets settings by the name of the net
   * @throws NetException ENOENT without the net; EINVAL with the key for wrong settings
   */
  public static NetInterface find(Map<String, Map<String, String>> nets, String net) {
    Map<String, String> given = nets.get(net);
    if (given == null) {
      throw new NetException(Errno.ENOENT, "no net '" + net + "'; see net:list");
    }
    NetSettings settings = NetSettings.of(given);
    return new NetInterface(settings.interfaceName(), settings.namespace(), settings.tiles());
  }
}
