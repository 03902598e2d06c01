package io.isle.core.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.CheckedSettings;
import io.isle.api.observe.Metric;
import io.isle.api.observe.MetricSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Metrics: their text, their sources, their file. */
@Timeout(60)
class MetricsTest {
  @TempDir Path folder;

  private static Metric counter(String name, double value, String... labels) {
    Map<String, String> all = new LinkedHashMap<>();
    for (int i = 0; i < labels.length; i += 2) {
      all.put(labels[i], labels[i + 1]);
    }
    return new Metric(name, Metric.Kind.COUNTER, "frames \\ of\na kind", all, value);
  }

  private static MetricsSettings settings(Path file) {
    return new MetricsSettings(Optional.ofNullable(file), Duration.ofHours(1));
  }

  @Test
  void theTextIsThatOfPrometheus() {
    String text =
        MetricText.of(
            List.of(
                counter("isle_a_total", 3, "net", "n", "reason", "a \"b\"\\\n"),
                counter("isle_a_total", 1L << 40, "net", "m"),
                new Metric("isle_b", Metric.Kind.GAUGE, "share", Map.of(), 0.25)));
    assertEquals(
        """
        # HELP isle_a_total frames \\\\ of\\na kind
        # TYPE isle_a_total counter
        isle_a_total{net="n",reason="a \\"b\\"\\\\\\n"} 3
        isle_a_total{net="m"} 1099511627776
        # HELP isle_b share
        # TYPE isle_b gauge
        isle_b 0.25
        """,
        text);
  }

  @Test
  void namesThatCannotBeReadAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> counter("a_total", 1));
    assertThrows(IllegalArgumentException.class, () -> counter("isle_a b", 1));
    assertThrows(IllegalArgumentException.class, () -> counter("isle_a", 1, "net\"", "n"));
  }

  @Test
  void aSourceThatFailsIsLeftOutAndComesBack() {
    MetricsComponent metrics = new MetricsComponent(Map.of());
    AtomicInteger calls = new AtomicInteger();
    MetricSource flaky =
        () -> {
          if (calls.incrementAndGet() == 1) {
            throw new IllegalStateException("not now");
          }
          return List.of(counter("isle_a_total", 1));
        };
    metrics.add(flaky);
    metrics.add(() -> List.of(counter("isle_b_total", 1), counter("isle_0_total", 1)));
    List<Metric> first = metrics.all();
    assertEquals(List.of("isle_0_total", "isle_b_total"), names(first));
    assertEquals(2, value(first, "isle_metrics_sources"));
    assertEquals(1, value(first, "isle_metrics_failed_sources"));
    List<Metric> second = metrics.all();
    assertEquals(List.of("isle_0_total", "isle_a_total", "isle_b_total"), names(second));
    assertEquals(0, value(second, "isle_metrics_failed_sources"));
    metrics.remove(flaky);
    assertEquals(List.of("isle_0_total", "isle_b_total"), names(metrics.all()));
    metrics.deactivate();
  }

  /** Of the sources. */
  private static List<String> names(List<Metric> metrics) {
    return metrics.stream()
        .map(Metric::name)
        .filter(name -> !name.startsWith("isle_metrics_"))
        .toList();
  }

  private static double value(List<Metric> metrics, String name) {
    return metrics.stream().filter(one -> one.name().equals(name)).mapToDouble(Metric::value).sum();
  }

  @Test
  void theFileFollowsItsSettings() {
    List<String> warnings = new CopyOnWriteArrayList<>();
    MetricsFile file = new MetricsFile(() -> "isle_a 1\n", warnings::add);
    Path first = folder.resolve("first.prom");
    Path second = folder.resolve("second.prom");
    file.follow(settings(first));
    awaitFile(first);
    file.follow(settings(second));
    awaitFile(second);
    assertFalse(Files.exists(first));
    file.close();
    assertFalse(Files.exists(second), "the values of the file would age");
    assertEquals(List.of(), warnings);
  }

  private static void awaitFile(Path path) {
    while (!Files.exists(path)) {
      Thread.onSpinWait();
    }
  }

  @Test
  void theFileIsWhole() throws IOException {
    Path path = folder.resolve("isle.prom");
    MetricsComponent metrics =
        new MetricsComponent(Map.of("file", path.toString(), "interval_s", "1"));
    metrics.add(() -> List.of(counter("isle_a_total", 1)));
    while (!Files.exists(path) || !Files.readString(path).contains("isle_a_total 1\n")) {
      Thread.onSpinWait();
    }
    metrics.modified(Map.of("file", "relative.prom"));
    assertTrue(Files.exists(path), "the last good settings stay in force");
    metrics.deactivate();
    assertFalse(Files.exists(path));
  }

  @Test
  void aFolderThatIsMissingIsToldOnce() throws Exception {
    List<String> warnings = new CopyOnWriteArrayList<>();
    CountDownLatch asked = new CountDownLatch(3);
    MetricsFile file =
        new MetricsFile(
            () -> {
              asked.countDown();
              return "";
            },
            warnings::add);
    Path lost = folder.resolve("none").resolve("isle.prom");
    file.follow(new MetricsSettings(Optional.of(lost), Duration.ofMillis(1)));
    asked.await();
    file.close();
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.getFirst().contains(lost.toString()), warnings::toString);
  }

  @Test
  void pathsAreAbsolute() {
    CheckedSettings defaults = CheckedSettings.defaults(MetricsSettings.SCHEMA);
    assertEquals(Optional.empty(), MetricsSettings.of(defaults).file());
    for (String wrong : List.of("isle.prom", "/")) {
      CheckedSettings given =
          defaults.change(
              Map.of("file", wrong),
              why -> {
                throw new AssertionError(why);
              });
      assertThrows(IllegalArgumentException.class, () -> MetricsSettings.of(given));
    }
  }
}
