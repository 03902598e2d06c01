package io.isle.fabric.impair;

import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import java.util.List;

/** The keys of {@code io.isle.impair-NAME.cfg}. */
final class ImpairKeys {
  private static final int ALL = 1_000_000;
  private static final int MOST_MS = 600_000;

  static final Setting FAULT_INJECTION =
      Setting.bool(
          "fault_injection", false, "true permits the relay; without it, the relay stays down");
  static final Setting LISTEN =
      Setting.string("listen", "", "address of the relay, such as udp://127.0.0.1:9990");
  static final Setting TO =
      Setting.string("to", "", "address that the relay passes bytes on to, of the same transport");
  static final Setting PLAINTEXT =
      Setting.bool(
          "plaintext", false, "whether both addresses may be beyond the loopback interface");
  static final Setting SEED =
      Setting.integer("seed", 0, Long.MAX_VALUE, 1, "begin of the random numbers");
  static final Setting LOSS = parts("loss_ppm", "lost datagrams in a million");
  static final Setting DUPLICATE =
      parts("duplicate_ppm", "datagrams passed on twice, in a million");
  static final Setting REORDER =
      parts("reorder_ppm", "datagrams passed on later by reorder_ms, in a million");
  static final Setting REORDER_MS =
      Setting.integer("reorder_ms", 1, MOST_MS, 2, "further delay of reordered datagrams");
  static final Setting DELAY_MS =
      Setting.integer("delay_ms", 0, MOST_MS, 0, "delay of each direction in milliseconds");
  static final Setting JITTER_MS =
      Setting.integer(
          "jitter_ms",
          0,
          MOST_MS,
          0,
          "most milliseconds of a random further delay; reorders datagrams");
  static final Setting CORRUPT =
      parts("corrupt_ppm", "datagrams, or pieces of a stream, with one changed bit, in a million");
  static final Setting RATE =
      Setting.bytes("rate_bytes", 0, 1L << 40, 0, "bytes a second of each direction; 0: no limit");
  static final Setting CUT =
      Setting.bytes(
          "cut_every_bytes",
          0,
          1L << 50,
          0,
          "a connection is cut by a reset after this many bytes on average; 0: never");
  static final Setting BLACK_HOLE =
      Setting.choice(
          "black_hole",
          List.of("none", "forward", "backward", "both"),
          "none",
          "directions in which nothing is passed on");
  static final Setting QUEUE =
      Setting.bytes(
          "queue_bytes",
          1 << 16,
          1L << 32,
          16L << 20,
          "most held bytes of each direction; beyond, datagrams are dropped and streams wait");

  @SettingsSchema(pid = ImpairSettings.FACTORY_PID + "-NAME")
  static final List<Setting> SCHEMA =
      List.of(
          FAULT_INJECTION,
          LISTEN,
          TO,
          PLAINTEXT,
          SEED,
          LOSS,
          DUPLICATE,
          REORDER,
          REORDER_MS,
          DELAY_MS,
          JITTER_MS,
          CORRUPT,
          RATE,
          CUT,
          BLACK_HOLE,
          QUEUE);

  private ImpairKeys() {}

  private static Setting parts(String key, String help) {
    return Setting.integer(key, 0, ALL, 0, help);
  }
}
