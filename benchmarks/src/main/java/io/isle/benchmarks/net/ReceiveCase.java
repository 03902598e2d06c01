package io.isle.benchmarks.net;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Frames a second that an app on the thread of the tile counts. */
final class ReceiveCase implements Cases {
  private static final int PAIRS = 15;
  private static final double GOAL = 0.95;
  private static final String PEER = "C, AF_XDP, same mode and rings, drops";
  private static final String APP = "drop";
  private static final long WARM_MS = 4000;
  private static final long MS = 400;
  private static final long SMOKE_MS = 20;

  private final Settings settings;
  private final NetPlatform platform;
  private final String mode;
  private final String row;

  /**
   * @param mode {@code skb} or {@code drv}
   */
  ReceiveCase(Settings settings, NetPlatform platform, String mode) {
    this.settings = settings;
    this.platform = platform;
    this.mode = mode;
    row = "rx-" + mode;
  }

  @Override
  public List<String> rows() {
    return List.of(row);
  }

  @Override
  public List<Row> run() throws Exception {
    int pairs = settings.size(PAIRS, 1);
    double[] ours = new double[pairs];
    double[] theirs = new double[pairs];
    try (OurNet net = platform.open(row, mode, Map.of());
        XskProgram toUs = platform.ours().send(row);
        XskProgram toPeer = platform.peers().send(row);
        XskProgram peer = platform.peers().drop(row, mode)) {
      net.beginOnTile(APP, Map.of());
      double ignored = counted(net, toUs, settings.size(WARM_MS, SMOKE_MS));
      for (int i = 0; i < pairs; i++) {
        ours[i] = counted(net, toUs, settings.size(MS, SMOKE_MS));
        theirs[i] = counted(peer, toPeer, settings.size(MS, SMOKE_MS));
      }
    }
    return List.of(Row.against(NetBench.NAME, row, "/s", "higher", ours, theirs, PEER, GOAL));
  }

  /** Received frames by the time of the sender, which sends as many as leave. */
  private static double counted(OurNet net, XskProgram sender, long ms) throws Exception {
    long before = net.app(APP).received();
    sender.go(0);
    TimeUnit.MILLISECONDS.sleep(ms);
    XskProgram.Run sent = sender.stop();
    long most = before + sent.frames();
    long received = OurNet.settled(() -> net.app(APP).received(), most) - before;
    return received * 1e9 / sent.nanos();
  }

  private static double counted(XskProgram peer, XskProgram sender, long ms) throws Exception {
    peer.go(0);
    sender.go(0);
    TimeUnit.MILLISECONDS.sleep(ms);
    long nanos = sender.stop().nanos();
    return peer.stop().frames() * 1e9 / nanos;
  }
}
