package io.isle.net.xdp.net;

import io.isle.api.net.FramePort;
import io.isle.net.xdp.settings.AppSettings;
import io.isle.net.xdp.tap.Overruns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Links of an app's own, for the frames of its ports. */
final class LinkFeed implements AppFeed {
  private final Net net;
  private final AppLinks links;
  private final AppPort port;

  private LinkFeed(Net net, AppLinks links, AppPort port) {
    this.net = net;
    this.links = links;
    this.port = port;
  }

  /**
   * A feed for each instance of an app.
   *
   * @throws io.isle.api.net.NetException as {@link NetWiring#links}
   */
  static List<AppFeed> of(Net net, String app, AppSettings settings) {
    List<AppLinks> links = net.wiring().links(app, settings, settings.instances());
    List<AppFeed> feeds = new ArrayList<>();
    boolean made = false;
    try {
      List<TilePart> parts = net.opened().orElseThrow().parts();
      links.forEach(one -> feeds.add(new LinkFeed(net, one, one.port(parts))));
      made = true;
      return feeds;
    } finally {
      if (!made) {
        links.forEach(AppLinks::close);
      }
    }
  }

  @Override
  public FramePort port() {
    return port;
  }

  @Override
  public void begin(Optional<TileAgent.OnTile> onTile, Optional<AppBell> bell) {
    net.wiring().attach(new NetApps.Attached(links, onTile, bell));
  }

  @Override
  public void end() {
    net.wiring().detach(links);
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
  public Overruns lost() {
    return port.lost();
  }

  @Override
  public void close() {
    links.close();
  }
}
