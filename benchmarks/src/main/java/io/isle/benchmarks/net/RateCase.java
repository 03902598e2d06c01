package io.isle.benchmarks.net;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Frames a second that an app on the thread of the tile counts, and that one sends. */
final class RateCase implements Cases {
  private static final int RX_PAIRS = 15;
  private static final double RX_GOAL = 0.95;
  private static final String RX_PEER = "C, AF_XDP, same mode and rings, drops";
  private static final int TX_PAIRS = 9;
  private static final double TX_GOAL = 0.9;
  private static final String TX_PEER = "C, AF_XDP, same mode, rings and frames, sends";
  private static final long WARM_MS = 4000;
  private static final long MS = 400;
  private static final long SMOKE_MS = 20;

  private final Settings settings;
  private final NetPlatform platform;
  private final String mode;
  private final String rx;
  private final String tx;

  /**
   * @param mode {@code skb} or {@code drv}
   */
  RateCase(Settings settings, NetPlatform platform, String mode) {
    this.settings = settings;
    this.platform = platform;
    this.mode = mode;
    rx = "rx-" + mode;
    tx = "tx-" + mode;
  }

  @Override
  public List<String> rows() {
    return List.of(rx, tx);
  }

  @Override
  public List<Row> run() throws Exception {
    try (OurNet net = platform.open(rx, mode, Map.of())) {
      return List.of(received(net), sent(net));
    }
  }

  private Row received(OurNet net) throws Exception {
    int pairs = settings.size(RX_PAIRS, 1);
    double[] ours = new double[pairs];
    double[] theirs = new double[pairs];
    net.beginOnTile("drop", Map.of());
    try (XskProgram toUs = platform.ours().send(rx);
        XskProgram toPeer = platform.peers().send(rx);
        XskProgram peer = platform.peers().drop(rx, mode)) {
      double ignored = counted(net, toUs, settings.size(WARM_MS, SMOKE_MS));
      for (int i = 0; i < pairs; i++) {
        ours[i] = counted(net, toUs, settings.size(MS, SMOKE_MS));
        theirs[i] = counted(peer, toPeer, settings.size(MS, SMOKE_MS));
      }
    }
    net.end("drop");
    return Row.against(NetBench.NAME, rx, "/s", "higher", ours, theirs, RX_PEER, RX_GOAL);
  }

  private static double counted(OurNet net, XskProgram sender, long ms) throws Exception {
    long before = net.app("drop").received();
    sender.go(0);
    TimeUnit.MILLISECONDS.sleep(ms);
    XskProgram.Run sent = sender.stop();
    long most = before + sent.frames();
    long received = OurNet.settled(() -> net.app("drop").received(), most) - before;
    return received * 1e9 / sent.nanos();
  }

  private static double counted(XskProgram peer, XskProgram sender, long ms) throws Exception {
    peer.go(0);
    sender.go(0);
    TimeUnit.MILLISECONDS.sleep(ms);
    long nanos = sender.stop().nanos();
    return peer.stop().frames() * 1e9 / nanos;
  }

  private Row sent(OurNet net) throws Exception {
    int pairs = settings.size(TX_PAIRS, 1);
    double[] ours = new double[pairs];
    double[] theirs = new double[pairs];
    try (XskProgram peer = platform.peers().pktgen(tx, mode)) {
      double ignored = generated(net, settings.size(WARM_MS, SMOKE_MS));
      for (int i = 0; i < pairs; i++) {
        ours[i] = generated(net, settings.size(MS, SMOKE_MS));
        peer.go(0);
        TimeUnit.MILLISECONDS.sleep(settings.size(MS, SMOKE_MS));
        theirs[i] = peer.stop().perSecond();
      }
    }
    return Row.against(NetBench.NAME, tx, "/s", "higher", ours, theirs, TX_PEER, TX_GOAL);
  }

  /** To side a, whose kernel refuses such frames, as those of the peer. */
  private double generated(OurNet net, long ms) throws InterruptedException {
    net.beginOnTile("pktgen", Map.of("fake_dst_ip", platform.ours().a().address()));
    TimeUnit.MILLISECONDS.sleep(settings.size(20L, 1L));
    long begin = System.nanoTime();
    long before = net.counter("tx", "sent");
    TimeUnit.MILLISECONDS.sleep(ms);
    long sent = net.counter("tx", "sent") - before;
    long nanos = System.nanoTime() - begin;
    net.end("pktgen");
    return sent * 1e9 / nanos;
  }
}
