package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.net.xdp.settings.AppSettings;
import io.isle.net.xdp.settings.NetSettings;
import java.util.Map;

/** Tiles in processes run no apps: the code of apps is the platform's. */
final class PlacementRule {
  private PlacementRule() {}

  /**
   * Refuses a net with tiles in processes whose tiles run an app.
   *
   * @param apps settings of all apps, by name
   * @throws NetException EINVAL
   */
  static void check(String net, NetSettings settings, Map<String, Map<String, String>> apps) {
    if (!settings.inProcess()) {
      return;
    }
    apps.forEach(
        (app, given) -> {
          if (onTile(given, net)) {
            throw new NetException(
                Errno.EINVAL,
                "placement: the app "
                    + app
                    + " has thread = tile, which needs placement = agent; set its thread to own");
          }
        });
  }

  private static boolean onTile(Map<String, String> given, String net) {
    try {
      AppSettings app = AppSettings.of(given);
      return app.onTile() && app.nets().contains(net);
    } catch (NetException e) {
      // such an app does not run
      return false;
    }
  }

  /**
   * Refuses an app on the thread of a tile that is in a process.
   *
   * @param nets settings of all nets, by name
   * @throws NetException EINVAL
   */
  static void check(AppSettings app, Map<String, Map<String, String>> nets) {
    if (!app.onTile()) {
      return;
    }
    for (String net : app.nets()) {
      if (nets.containsKey(net) && inProcess(nets.get(net))) {
        throw refused(net);
      }
    }
  }

  /** The refusal of an app on the thread of a tile that is in a process. */
  static NetException refused(String net) {
    return new NetException(
        Errno.EINVAL,
        "thread: the net "
            + net
            + " has placement = process, whose tiles run no apps; set thread = own");
  }

  private static boolean inProcess(Map<String, String> given) {
    try {
      return NetSettings.of(given).inProcess();
    } catch (NetException e) {
      // such a net does not run
      return false;
    }
  }
}
