package io.isle.spin.nic.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.observe.Metric;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.Rulesets;
import io.isle.core.testing.Until;
import io.isle.spin.nic.live.LiveNic;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NicMetricsTest {
  private static final String ONES = "AND {0, 0xff000000, 0x01000000, 0x01000000}";

  private final SpinRig rig = new SpinRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private static void holds(BooleanSupplier condition, String what) {
    assertTrue(Until.holds(condition), what);
  }

  private double value(String name, Map<String, String> labels) {
    return rig.core.metrics().stream()
        .filter(one -> one.name().equals("isle_spin_" + name))
        .filter(one -> one.labels().entrySet().containsAll(labels.entrySet()))
        .mapToDouble(Metric::value)
        .sum();
  }

  @Test
  void interfacesAndContextsHaveFiguresWithTheirNames() {
    rig.nic("nic0", "port", "test:a", "parallel", "3");
    rig.file("io.isle.spin-waits", "nic", "nic1", "handlers", "none");
    holds(() -> rig.core.nic("nic0").isPresent(), "the interface");
    LiveNic nic = rig.core.nic("nic0").orElseThrow();
    ContextSpec spec =
        ContextSpec.of("echo", SpinRig.image("ping", Optional.empty()))
            .withRules(Rulesets.parse(ONES).all().getFirst());
    rig.core.attach(nic, rig.tenant("a"), spec);
    rig.port("a").arriving.add(SpinRig.frame(1));
    rig.port("a").arriving.add(new byte[1600]);
    rig.port("a").arriving.add(long1600());
    Map<String, String> here = Map.of("nic", "nic0");
    Map<String, String> echo = Map.of("nic", "nic0", "context", "echo");
    holds(() -> value("context_handlers_total", echo) == 1, "a handler");
    holds(() -> value("received_frames_total", here) == 3, "three frames");
    assertEquals(1, value("up", here));
    assertEquals(3, value("parallel", here));
    assertEquals(0, value("running", here));
    assertEquals(1, value("unmatched_frames_total", here));
    assertEquals(1, value("sent_frames_total", here));
    assertEquals(1, value("context_up", echo));
    assertEquals(60, value("context_bytes_total", echo));
    assertTrue(value("context_hpu_seconds_total", echo) > 0);
    Map<String, String> length = Map.of("context", "echo", "reason", "length");
    assertEquals(1, value("context_dropped_packets_total", length));
    holds(
        () ->
            rig.core.metrics().stream()
                .anyMatch(
                    one ->
                        one.name().equals("isle_spin_context_up")
                            && one.labels().containsValue("waits")
                            && one.value() == 0),
        "a context that waits");
    List<Metric> all = rig.core.metrics();
    Set<String> identities = new HashSet<>();
    all.forEach(one -> assertTrue(identities.add(one.name() + one.labels()), one.name()));
    assertTrue(
        all.stream()
            .allMatch(one -> one.name().endsWith("_total") == (one.kind() == Metric.Kind.COUNTER)));
  }

  /** Too long for a slot. */
  private static byte[] long1600() {
    byte[] frame = new byte[1600];
    frame[0] = 1;
    return frame;
  }
}
