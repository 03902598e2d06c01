package io.isle.net.xdp.net;

import io.isle.api.net.FramePort;
import io.isle.net.xdp.settings.AppSettings;
import java.util.Optional;

/** Links of an app's own, for the frames of its ports. */
final class LinkFeed implements AppFeed {
  private final Net net;
  private final AppLinks links;
  private final AppPort port;

  /**
   * @throws io.isle.api.net.NetException as {@link Net#links}
   */
  LinkFeed(Net net, String app, AppSettings settings) {
    this.net = net;
    links = net.links(app, settings.ports(), settings.depth());
    boolean made = false;
    try {
      port = links.port(net.opened().orElseThrow().parts());
      made = true;
    } finally {
      if (!made) {
        links.close();
      }
    }
  }

  @Override
  public FramePort port() {
    return port;
  }

  @Override
  public void begin(Optional<TileAgent.OnTile> onTile, Optional<AppBell> bell) {
    net.attach(new NetApps.Attached(links, onTile, bell));
  }

  @Override
  public void end() {
    net.detach(links);
  }

  @Override
  public long received() {
    return port.received();
  }

  @Override
  public long sent() {
    return port.sent();
  }

  @Override
  public void close() {
    links.close();
  }
}
