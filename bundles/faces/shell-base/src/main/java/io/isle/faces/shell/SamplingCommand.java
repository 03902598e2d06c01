package io.isle.faces.shell;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.karaf.shell.api.action.Option;
import org.jline.terminal.Terminal;

/**
 * Shows what happens, again and again: in a terminal until q or Ctrl-C.
 *
 * @param <R> what is so at one time
 * @param <T> of which there is a row each
 */
public abstract class SamplingCommand<R, T> extends IsleCommand {
  @Option(
      name = "--count",
      description =
          "Number of samples, 1 to 1000000; if left out, 1 without a terminal, else no limit")
  private Integer count;

  @Option(name = "--interval", description = "Length of a sample in milliseconds, 50 to 3600000")
  private int interval = 1000;

  /** For tests. */
  private Terminal keyboard;

  private final Function<Services, R> read;
  private final BiFunction<R, R, List<T>> between;
  private final Table<T> table;

  /**
   * @param read what is so now
   * @param between rows of what happened between two readings
   */
  protected SamplingCommand(
      Function<Services, R> read, BiFunction<R, R, List<T>> between, Table<T> table) {
    this.read = read;
    this.between = between;
    this.table = table;
  }

  @Override
  protected final void run(Output output) {
    new Sampling(output, count, interval)
        .show(
            session() == null ? keyboard : Sampling.keyboard(session()),
            () -> read.apply(services()),
            between,
            table);
  }

  /** For tests. */
  public final SamplingCommand<R, T> of(Integer samples, int intervalMs, Terminal typedOn) {
    count = samples;
    interval = intervalMs;
    keyboard = typedOn;
    return this;
  }
}
