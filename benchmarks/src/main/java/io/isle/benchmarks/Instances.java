package io.isle.benchmarks;

import java.io.IOException;

/**
 * The instances of a run. All benchmarks of a smoke run share one, from the first use to the end of
 * the run: most of its time would be starts and stops.
 */
public final class Instances implements AutoCloseable {
  private RunningInstance shared;

  RunningInstance shared(Settings settings) throws IOException, InterruptedException {
    if (shared == null) {
      shared = new RunningInstance(settings);
    }
    return shared;
  }

  @Override
  public void close() {
    if (shared != null) {
      shared.close();
      shared = null;
    }
  }
}
