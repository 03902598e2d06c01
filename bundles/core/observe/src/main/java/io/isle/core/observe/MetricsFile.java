package io.isle.core.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Writes metrics to a file again and again; readers see whole files. Thread-safe. */
final class MetricsFile implements AutoCloseable {
  private final Supplier<String> text;
  private final Consumer<String> log;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("isle-metrics").daemon(true).factory());
  private ScheduledFuture<?> task;
  private Path written;

  /** The last problem, which is logged once. */
  private String problem = "";

  /**
   * @param text gives the metrics
   * @param log takes warnings
   */
  MetricsFile(Supplier<String> text, Consumer<String> log) {
    this.text = text;
    this.log = log;
  }

  /** Writes by these settings from now on; a file of before is removed, since its values age. */
  synchronized void follow(MetricsSettings settings) {
    if (task != null) {
      boolean ignored = task.cancel(false);
      task = null;
    }
    Path before = written;
    written = settings.file().orElse(null);
    if (before != null && !before.equals(written)) {
      executor.execute(() -> remove(before));
    }
    if (written != null) {
      Path file = written;
      task =
          executor.scheduleWithFixedDelay(
              () -> write(file), 0, settings.interval().toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void write(Path file) {
    try {
      Path beside = file.resolveSibling("." + file.getFileName() + ".new");
      Path ignored = Files.writeString(beside, text.get());
      ignored = Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
      problem = "";
    } catch (IOException | RuntimeException e) {
      if (!e.toString().equals(problem)) {
        problem = e.toString();
        log.accept("metrics cannot be written to " + file + ": " + problem);
      }
    }
  }

  private void remove(Path file) {
    try {
      boolean ignored = Files.deleteIfExists(file);
    } catch (IOException e) {
      log.accept("the old file of metrics, " + file + ", cannot be removed: " + e);
    }
  }

  /** Ends the writing; the file goes, since its values age. */
  @Override
  public void close() {
    synchronized (this) {
      follow(new MetricsSettings(Optional.empty(), Duration.ofSeconds(1)));
    }
    executor.close();
  }
}
