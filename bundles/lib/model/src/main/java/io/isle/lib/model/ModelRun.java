package io.isle.lib.model;

/**
 * Memory of one thread that runs models, large enough for every model that the proof admits. One
 * thread at a time, but for {@link #requestYield}.
 */
public final class ModelRun {
  private volatile int yield;

  /** Asks a running net to return between two layers. Any thread. */
  public void requestYield() {
    yield = 1;
  }

  /** Takes the request back before the net goes on. */
  public void resume() {
    yield = 0;
  }

  /** Whether a yield was requested. */
  public boolean yieldRequested() {
    return yield != 0;
  }
}
