package io.isle.benchmarks.net;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import io.isle.lib.packet.capture.CaptureReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Received frames with a capture of the net, and without; frames that the file has of them. */
final class CaptureCase implements Cases {
  private static final String RATE = "capture";
  private static final String APP = "capture";
  private static final String KEPT = "capture-kept";
  private static final int PAIRS = 9;
  private static final double RATE_GOAL = 0.8;
  private static final int KEPT_RATE = 200_000;
  private static final double KEPT_GOAL = 100;
  private static final long WARM_MS = 4000;
  private static final long MS = 400;
  private static final long SMOKE_MS = 20;

  private final Settings settings;
  private final NetPlatform platform;

  CaptureCase(Settings settings, NetPlatform platform) {
    this.settings = settings;
    this.platform = platform;
  }

  @Override
  public List<String> rows() {
    return List.of(RATE, KEPT);
  }

  @Override
  public List<Row> run() throws Exception {
    int pairs = settings.size(PAIRS, 1);
    double[] on = new double[pairs];
    double[] off = new double[pairs];
    double[] kept = new double[pairs];
    Path folder = settings.newFolder();
    Path file = folder.resolve("net.pcapng");
    try (OurNet net = platform.open(RATE, "drv", Map.of());
        XskProgram sender = platform.ours().send(RATE)) {
      net.beginOnTile("drop", Map.of());
      Counted ignored = captured(net, file, sender, 0, settings.size(WARM_MS, SMOKE_MS));
      for (int i = 0; i < pairs; i++) {
        on[i] = captured(net, file, sender, 0, settings.size(MS, SMOKE_MS)).perSecond();
        off[i] = counted(net, sender, 0, settings.size(MS, SMOKE_MS)).perSecond();
        Counted slow = captured(net, file, sender, KEPT_RATE, settings.size(MS, SMOKE_MS));
        kept[i] = 100.0 * frames(file) / slow.received;
      }
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
    return List.of(
        Row.against(NetBench.NAME, RATE, "/s", "higher", on, off, "without capture", RATE_GOAL),
        Row.absolute(NetBench.NAME, KEPT, "%", "higher", kept, KEPT_GOAL));
  }

  private static Counted captured(OurNet net, Path file, XskProgram sender, long rate, long ms)
      throws IOException, InterruptedException {
    net.begin(APP, Map.of("out", file.toString()));
    Counted counted = counted(net, sender, rate, ms);
    net.end(APP);
    return counted;
  }

  private record Counted(long received, long nanos) {
    double perSecond() {
      return received * 1e9 / nanos;
    }
  }

  private static Counted counted(OurNet net, XskProgram sender, long rate, long ms)
      throws IOException, InterruptedException {
    long before = net.app("drop").received();
    sender.go(rate);
    TimeUnit.MILLISECONDS.sleep(ms);
    XskProgram.Run sent = sender.stop();
    long most = before + sent.frames();
    long received = OurNet.settled(() -> net.app("drop").received(), most) - before;
    return new Counted(received, sent.nanos());
  }

  private static long frames(Path file) throws IOException {
    try (CaptureReader reader =
        CaptureReader.open(new BufferedInputStream(Files.newInputStream(file)), file.toString())) {
      long frames = 0;
      while (reader.next()) {
        frames++;
      }
      return frames;
    }
  }
}
