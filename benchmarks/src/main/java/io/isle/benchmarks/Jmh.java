package io.isle.benchmarks;

import java.util.Collection;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** JMH, as the benchmarks use it: silent, with the bytes that are allocated. */
public final class Jmh {
  /** A word of the JVM about JMH's own library would end up in the result of a fork. */
  public static final String NO_WORD_OF_THE_JVM = "--sun-misc-unsafe-memory-access=allow";

  private Jmh() {}

  /**
   * Runs the methods of a class.
   *
   * @param how adds the number of forks and iterations and their length
   */
  public static Collection<RunResult> run(
      Settings settings, Class<?> benchmark, UnaryOperator<ChainedOptionsBuilder> how)
      throws RunnerException {
    if (settings.smoke()) {
      // JMH keeps a second run off the machine, for the figures; a smoke run has none
      System.setProperty("jmh.ignoreLock", "true");
    }
    return new Runner(
            how.apply(
                    new OptionsBuilder()
                        .include(benchmark.getName().replace(".", "\\."))
                        .addProfiler(GCProfiler.class)
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true))
                .build())
        .run();
  }
}
