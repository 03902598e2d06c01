package io.isle.core.drivers.driver;

import io.isle.api.device.RecoveryCause;
import java.util.Optional;
import java.util.function.Consumer;

/** A host that dies when a test says so. */
public final class FakeStandby implements Standby {
  private final long pid;
  private volatile Consumer<RecoveryCause> lost = cause -> {};
  public volatile boolean alive = true;
  public volatile boolean closed;

  /** Runs when it is closed. */
  public volatile Runnable closing = () -> {};

  public FakeStandby(long pid) {
    this.pid = pid;
  }

  public void die() {
    alive = false;
    lost.accept(new RecoveryCause(RecoveryCause.Kind.CRASH, "the test says so"));
  }

  @Override
  public Optional<Long> pid() {
    return Optional.of(pid);
  }

  @Override
  public boolean alive() {
    return alive;
  }

  @Override
  public void onLost(Consumer<RecoveryCause> listener) {
    lost = listener;
  }

  @Override
  public void close() {
    closing.run();
    closed = true;
  }
}
