package io.isle.core.drivers;

import io.isle.api.device.RecoveryCause;
import java.util.Optional;
import java.util.function.Consumer;

/** A host that dies when a test says so. */
final class FakeStandby implements Standby {
  private final long pid;
  private volatile Consumer<RecoveryCause> lost = cause -> {};
  volatile boolean alive = true;
  volatile boolean closed;

  /** Runs when it is closed. */
  volatile Runnable closing = () -> {};

  FakeStandby(long pid) {
    this.pid = pid;
  }

  void die() {
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
