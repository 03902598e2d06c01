package io.isle.fabric.jobs;

import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingPlan;
import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionParameter.Kind;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.SetupResource;
import io.isle.lib.leap.Packets;
import io.isle.lib.leap.isle.Hello;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The keys of a ring in {@code setup}, as those of {@code ring:create} and of node files. */
final class RingKeys {
  static final String PROCESS = "process";
  static final String OWN = "own";
  private static final String NODES = "nodes";
  private static final String TRANSPORT = "transport";
  private static final String DIALECT = "dialect";
  private static final String DIM = "dim";
  private static final String LAYERS = "layers";
  private static final String STAGE = "stage";
  private static final int MAX_MS = 3_600_000;
  private static final int MAX_WAIT_MS = 600_000;
  private static final int MAX_SPIN_US = 1_000_000;
  private static final int MIN_BUFFER = 4096;
  private static final int MAX_BUFFER = 1 << 30;

  /** Keys of the files of all nodes. */
  private static final List<ActionParameter> COMMON =
      List.of(
          ActionParameter.whole("window", 1, Hello.MAX_WINDOW).optional(),
          ActionParameter.whole("heartbeat_ms", 10, Hello.MAX_HEARTBEAT_MS).optional(),
          ActionParameter.whole("stall_ms", 100, MAX_MS).optional(),
          ActionParameter.whole("frame_timeout_ms", 1, MAX_WAIT_MS).optional(),
          ActionParameter.whole("park_ms", 0, MAX_WAIT_MS).optional(),
          ActionParameter.whole("spin_us", 0, MAX_SPIN_US).optional(),
          ActionParameter.whole("buffer_bytes", MIN_BUFFER, MAX_BUFFER).optional());

  private RingKeys() {}

  static List<ActionParameter> parameters() {
    List<ActionParameter> all =
        new ArrayList<>(
            List.of(
                ActionParameter.whole(NODES, 2, RingPlan.MOST_NODES),
                ActionParameter.of(TRANSPORT, Kind.TEXT).orElse("tcp"),
                ActionParameter.choice(DIALECT, "isle", "leap").orElse("isle"),
                ActionParameter.choice(PROCESS, "shared", OWN).orElse("shared"),
                ActionParameter.whole(DIM, 1, Packets.MAX_DIM).orElse("1024"),
                ActionParameter.whole(LAYERS, 2, LayerRange.MAX_LAYERS).optional(),
                ActionParameter.of(STAGE, Kind.TEXT).orElse("pass")));
    all.addAll(COMMON);
    return all;
  }

  /**
   * The ring that a job file describes.
   *
   * @throws io.isle.api.fabric.RingException EINVAL with the field and its limit
   */
  static RingPlan plan(SetupResource ring) {
    ActionValues values = ring.values();
    int nodes = (int) values.whole(NODES);
    Map<String, String> common = new HashMap<>();
    common.put(DIM, values.text(DIM));
    common.put("prev." + DIALECT, values.text(DIALECT));
    common.put("next." + DIALECT, values.text(DIALECT));
    for (ActionParameter key : COMMON) {
      if (values.has(key.name())) {
        common.put(key.name(), values.text(key.name()));
      }
    }
    Map<String, String> workers = new HashMap<>();
    workers.put(STAGE, values.text(STAGE));
    if (isOwn(ring)) {
      workers.put(PROCESS, OWN);
    }
    return new RingPlan(
        ring.name(),
        nodes,
        values.text(TRANSPORT),
        values.has(LAYERS) ? (int) values.whole(LAYERS) : nodes,
        common,
        workers);
  }

  /** Whether each worker has a process of its own. */
  static boolean isOwn(SetupResource ring) {
    return ring.values().text(PROCESS).equals(OWN);
  }
}
