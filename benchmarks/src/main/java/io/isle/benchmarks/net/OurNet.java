package io.isle.benchmarks.net;

import io.isle.api.net.AppInfo;
import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetInfo;
import io.isle.api.net.NetState;
import io.isle.benchmarks.embedded.EmbeddedPlatform;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Our net on side b of its lab. One thread. */
final class OurNet implements AutoCloseable {
  /** The lab of the net. */
  static final String LAB = "ours";

  private static final String NET = "bench";
  private static final String PORT = "9000";
  private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(500);

  private final String row;
  private final NetAdmin admin;

  OurNet(String row, NetAdmin admin, Map<String, String> settings) {
    this.row = row;
    this.admin = admin;
    Map<String, String> all =
        new HashMap<>(Map.of("interface", "vb", "netns", "lab:" + LAB, "configure", "off"));
    all.putAll(settings);
    admin.create(NET, all);
    boolean runs = false;
    try {
      await("the net runs: " + info().reason(), () -> info().state() == NetState.RUNNING);
      runs = true;
    } finally {
      if (!runs) {
        close();
      }
    }
  }

  private NetInfo info() {
    return admin.find(NET).orElseThrow();
  }

  void await(String what, java.util.function.BooleanSupplier condition) {
    EmbeddedPlatform.await(row + ": " + what, condition);
  }

  /** An app of a kind on the thread of the tile, until {@link #end}. */
  void begin(String kind, Map<String, String> more) {
    Map<String, String> all = new HashMap<>(Map.of("kind", kind, "nets", NET));
    all.putAll(more);
    admin.createApp(kind, all);
    await("the app " + kind + " runs: " + app(kind).reason(), () -> app(kind).running());
  }

  /** As {@link #begin}, for frames to port 9000. */
  void beginOnTile(String kind, Map<String, String> more) {
    Map<String, String> all =
        new HashMap<>(
            Map.of("ports", PORT, "thread", "tile", "depth", Integer.toString(LabPrograms.RING)));
    all.putAll(more);
    begin(kind, all);
  }

  void end(String kind) {
    boolean ignored = admin.removeApp(kind);
  }

  AppInfo app(String kind) {
    return admin.apps().stream()
        .filter(app -> app.name().equals(kind))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(row + ": there is no app " + kind));
  }

  /** A counter of the tile. */
  long counter(String group, String name) {
    return admin.counters(NET).stream()
        .filter(one -> one.group().equals(group) && one.name().equals(name))
        .mapToLong(one -> one.value())
        .sum();
  }

  /**
   * The count when it has reached what was sent, or has not grown for half a second.
   *
   * @param sent most that the count can reach
   */
  static long settled(LongSupplier count, long sent) throws InterruptedException {
    long now = count.getAsLong();
    long grownNs = System.nanoTime();
    while (now < sent && System.nanoTime() - grownNs < QUIET_NS) {
      TimeUnit.MILLISECONDS.sleep(1);
      long before = now;
      now = count.getAsLong();
      grownNs = now == before ? grownNs : System.nanoTime();
    }
    return now;
  }

  @Override
  public void close() {
    admin.apps().forEach(app -> end(app.name()));
    boolean ignored = admin.remove(NET);
  }
}
