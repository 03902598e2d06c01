package io.isle.faces.shell.ring;

import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Progress;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import io.isle.faces.shell.ring.bench.BenchResult;
import io.isle.faces.shell.ring.bench.Curve;
import io.isle.faces.shell.ring.bench.RoundTrips;
import io.isle.faces.shell.ring.bench.Throughput;
import io.isle.lib.drive.DriveResult;
import io.isle.lib.leap.Packets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.FileCompleter;

/** {@code ring:bench}. */
@Service
@Command(
    scope = "ring",
    name = "bench",
    description =
        "Measures a ring with packets of zeros: times of a round trip and of a hop, one packet at a"
            + " time, then the throughput; ends the positions of the ring's users")
@RequiredRole(value = Role.MANAGER, reason = "A measurement occupies the ring.")
public final class BenchCommand extends IsleCommand {
  private static final int MOST_SECONDS = 600;
  private static final int MOST_HOPS = 1_000;

  @Argument(name = "node", description = "Name of a master or of its ring", required = true)
  @Completion(MasterCompleter.class)
  private String node;

  @Option(name = "--seconds", description = "Seconds of each measurement, 1 to 600; 2 if left out")
  private int seconds = 2;

  @Option(
      name = "--window",
      description = "Packets on their way for the throughput, 1 to 64; 16 if left out")
  private int window = 16;

  @Option(
      name = "--hops",
      description =
          "Hops of a round trip, for a ring with nodes on other machines; if left out, the nodes of"
              + " the ring on this platform")
  private Integer hops;

  @Option(name = "--svg", description = "SVG file for a picture of the times of a hop")
  @Completion(FileCompleter.class)
  private String svg;

  @Override
  protected void run(Output output) {
    range("--seconds", seconds, MOST_SECONDS);
    range("--window", window, RoundTrips.POSITIONS);
    range("--hops", hops == null ? 1 : hops, MOST_HOPS);
    Path picture = svg == null ? null : path(svg);
    BenchResult result;
    try (Progress progress = new Progress(System.err, watched())) {
      result = Masters.with(services(), node, "bench", endpoint -> measured(endpoint, progress));
    }
    print(output, result);
    if (picture != null) {
      write(picture, Curve.svg(result));
    }
  }

  private static void range(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw ShellException.usage(option + " " + value + " is not in 1.." + most);
    }
  }

  private BenchResult measured(RingEndpoint endpoint, Progress progress) {
    if (endpoint.packetBytes() <= Packets.HEADER_BYTES) {
      throw ShellException.failed(
          endpoint.node() + ": packets of " + endpoint.packetBytes() + " bytes have no payload");
    }
    long lengthNs = TimeUnit.SECONDS.toNanos(seconds);
    RoundTrips trips = new RoundTrips(endpoint);
    Histogram times =
        trips.run(
            lengthNs,
            now ->
                progress.show(
                    () ->
                        "round trip p50 "
                            + Sizes.nanos(now.getValueAtPercentile(50))
                            + ", p99 "
                            + Sizes.nanos(now.getValueAtPercentile(99))));
    if (times.getTotalCount() == 0) {
      throw ShellException.failed(endpoint.node() + ": no packet has come round");
    }
    long begin = System.nanoTime();
    DriveResult flow =
        Throughput.run(
            endpoint,
            window,
            lengthNs,
            replies ->
                progress.show(
                    () ->
                        String.format(
                            Locale.ROOT,
                            "throughput %.1f MB/s",
                            replies
                                * 1e3
                                * endpoint.packetBytes()
                                / Math.max(1, System.nanoTime() - begin))));
    return new BenchResult(
        endpoint.node(),
        endpoint.packetBytes(),
        hops == null ? known(endpoint.info()) : hops,
        times,
        trips.lost(),
        window,
        flow);
  }

  /** Nodes of the ring, if all links of the ring are on this platform; else 0. */
  private int known(RingNodeInfo master) {
    var ring =
        NodeRows.named(services(), null).stream()
            .filter(one -> one.ring().equals(master.ring()))
            .toList();
    boolean closed =
        ring.stream()
            .allMatch(
                one ->
                    ring.stream()
                        .anyMatch(
                            next ->
                                next.prev().addresses().stream()
                                    .anyMatch(one.next().addresses()::contains)));
    return closed ? ring.size() : 0;
  }

  private static Table<BenchResult.Point> table() {
    return new Table<BenchResult.Point>("")
        .column("percent", BenchResult.Point::percent)
        .column("round_trip_ns", "round trip", BenchResult.Point::roundTripNs, Sizes::nanos)
        .column("hop_ns", "hop", BenchResult.Point::hopNs, Sizes::nanos);
  }

  private static void print(Output output, BenchResult result) {
    if (!output.json()) {
      output.table(table(), result.points());
      output.line(
          String.format(
              Locale.ROOT,
              "%s: %.1f MB/s, %.0f packets/s of %d B, %d on their way, %d lost",
              result.node(),
              result.bytesPerSecond() / 1e6,
              result.packetsPerSecond(),
              result.packetBytes(),
              result.window(),
              result.lost() + result.flow().lost().cardinality()));
      return;
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("node", result.node());
    all.put("packet_bytes", result.packetBytes());
    all.put("hops", result.hops() == 0 ? null : result.hops());
    all.put("round_trips", result.roundTrips().getTotalCount());
    all.put("curve", result.points().stream().map(table()::object).toList());
    all.put("window", result.window());
    all.put("packets_per_s", result.packetsPerSecond());
    all.put("bytes_per_s", result.bytesPerSecond());
    all.put("lost", result.lost() + result.flow().lost().cardinality());
    output.document(all);
  }

  /** A picture that cannot be written as a whole leaves the old one. */
  private static void write(Path file, String text) {
    Path beside =
        file.resolveSibling(file.getFileName() + ".part-" + ProcessHandle.current().pid());
    try {
      try {
        Path written = Files.writeString(beside, text);
        Path ignored =
            Files.move(
                written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        boolean ignored = Files.deleteIfExists(beside);
      }
    } catch (IOException e) {
      throw ShellException.failed("picture " + file + " cannot be written: " + e);
    }
  }

  /** For tests. */
  BenchCommand of(String master, int length, String picture) {
    node = master;
    seconds = length;
    svg = picture;
    return this;
  }
}
