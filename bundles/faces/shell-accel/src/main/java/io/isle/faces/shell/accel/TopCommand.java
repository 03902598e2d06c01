package io.isle.faces.shell.accel;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Sampling;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.jline.terminal.Terminal;

/** {@code accel:top}. */
@Service
@Command(
    scope = "accel",
    name = "top",
    description =
        "Shows what devices and contexts do, again and again: queue, busy share, wait, memory; ends"
            + " with q or Ctrl-C")
public final class TopCommand extends IsleCommand {
  @Option(
      name = "--count",
      description = "How many samples, 1 to 1000000; without a terminal 1, else until it is ended")
  private Integer count;

  @Option(name = "--interval", description = "Milliseconds of a sample, 50 to 3600000")
  private int interval = 1000;

  /** For tests. */
  private Terminal keyboard;

  @Override
  protected void run(Output output) {
    new Sampling(output, count, interval)
        .show(
            session() == null ? keyboard : Sampling.keyboard(session()),
            () -> TopReading.of(services()),
            TopRow::between,
            TopRow.table());
  }

  /** For tests. */
  TopCommand of(Integer samples, int intervalMs, Terminal typedOn) {
    count = samples;
    interval = intervalMs;
    keyboard = typedOn;
    return this;
  }
}
