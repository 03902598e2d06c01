package io.isle.benchmarks.net;

import io.isle.api.base.ConfigFiles;
import io.isle.api.net.LabSide;
import io.isle.api.net.Labs;
import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetApp;
import io.isle.benchmarks.Commands;
import io.isle.benchmarks.Settings;
import io.isle.benchmarks.embedded.EmbeddedPlatform;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleException;

/**
 * A platform with nets, and two labs: one for our net, one for its peers, so that both sides stay
 * open while they are measured in turn. Starts with the first use.
 */
final class NetPlatform implements AutoCloseable {
  private static final String TILE = "isle-net-tile";
  private static final int REFUSED = 3;

  private final Settings settings;
  private EmbeddedPlatform platform;
  private byte[] tile;
  private LabPrograms ours;
  private LabPrograms peers;

  NetPlatform(Settings settings) {
    this.settings = settings;
  }

  /** Why this process may not make labs and sockets of AF_XDP; empty if it may. */
  static String refusal(Settings settings) throws IOException, InterruptedException {
    try {
      String ignored = Commands.output(List.of(XskProgram.program(settings), "check"));
      return "";
    } catch (Commands.FailedException e) {
      if (e.code() != REFUSED) {
        throw e;
      }
      return e.getMessage().strip();
    }
  }

  private void start() throws IOException, BundleException {
    if (platform != null) {
      return;
    }
    platform = EmbeddedPlatform.ofNets(settings);
    tile = Files.readAllBytes(platform.file(TILE));
    String cpu = " " + LabPrograms.RECEIVER;
    platform
        .service(ConfigFiles.class)
        .set("io.isle.agents", Map.of("cpu", "net-*" + cpu + ", netapp-*" + cpu));
    ours = lab(OurNet.LAB);
    peers = lab("peers");
  }

  private LabPrograms lab(String name) {
    List<LabSide> sides = platform.service(Labs.class).create(name, 1);
    return new LabPrograms(settings, sides.get(0), sides.get(1));
  }

  /**
   * Opens our net, until the result is closed.
   *
   * @param row named in failures
   * @param mode {@code skb} or {@code drv}
   * @param more settings of the net
   */
  OurNet open(String row, String mode, Map<String, String> more)
      throws IOException, BundleException {
    start();
    Map<String, String> all = new HashMap<>(Map.of("mode", mode));
    for (String key : List.of("rx_queue", "tx_queue", "app_frames")) {
      all.put(key, Integer.toString(LabPrograms.RING));
    }
    all.putAll(more);
    return new OurNet(row, platform.service(NetAdmin.class), all);
  }

  /** Programs beside our net. */
  LabPrograms ours() {
    return ours;
  }

  /** Peers, and programs beside them. */
  LabPrograms peers() {
    return peers;
  }

  /** Offers a kind of apps. */
  void offer(String kind, NetApp app) {
    var ignored =
        platform
            .context()
            .registerService(
                NetApp.class, app, new Hashtable<>(Map.of(NetApp.KIND_PROPERTY, kind)));
  }

  /** Exchanges the bundle of tiles. */
  void updateTile() throws BundleException {
    platform.bundle(TILE).update(new ByteArrayInputStream(tile));
  }

  @Override
  public void close() {
    if (platform != null) {
      platform.close();
    }
  }
}
