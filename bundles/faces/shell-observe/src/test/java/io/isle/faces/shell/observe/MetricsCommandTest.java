package io.isle.faces.shell.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.observe.Metric;
import io.isle.api.observe.Metrics;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricsCommandTest {
  private final FakeServices services =
      new FakeServices()
          .add(
              Metrics.class,
              new Metrics() {
                @Override
                public List<Metric> all() {
                  return List.of(
                      new Metric("isle_a", Metric.Kind.GAUGE, "share", Map.of("net", "n"), 0.5),
                      new Metric("isle_b_total", Metric.Kind.COUNTER, "frames", Map.of(), 7));
                }

                @Override
                public String text(List<Metric> metrics) {
                  return metrics.size() + " metrics\n";
                }
              });

  @Test
  void figuresAreShownAsTableTextAndJson() {
    assertEquals(
        "[{\"metric\":\"isle_a\",\"labels\":{\"net\":\"n\"},\"kind\":\"gauge\",\"help\":\"share\","
            + "\"value\":0.5}]\n",
        services.run(new MetricsCommand().of("isle_a", false), true));
    String shown = services.run(new MetricsCommand().of("", false), false);
    assertTrue(shown.contains("net=n") && shown.contains("isle_b_total"), shown);
    assertTrue(shown.contains(" 7\n") && shown.contains(" 0.5\n"), shown);
    assertEquals("2 metrics\n", services.run(new MetricsCommand().of("", true), false));
    assertThrows(ShellException.class, () -> services.run(new MetricsCommand().of("", true), true));
    assertEquals(List.of("isle_a", "isle_b_total"), new MetricCompleter().ids(services));
  }
}
