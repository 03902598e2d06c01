package io.isle.core.display;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.Display;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Scanout;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** One opening of a device with a {@link FakeScreen}, or none; a test ends it. */
final class FakeSession implements DeviceSession {
  final FakeScreen screen;
  private final String id;
  private final int epoch;
  private final Optional<String> group;

  /** Is done once, between the next call and what its caller does then. */
  final AtomicReference<Runnable> afterCall = new AtomicReference<>(() -> {});

  private final ThreadLocal<Boolean> within = ThreadLocal.withInitial(() -> false);

  /** With which calls are refused once it has ended; 0 before. */
  private volatile int ended;

  /**
   * @param screen null for a device without a display
   */
  FakeSession(String id, int epoch, FakeScreen screen, Optional<String> group) {
    this.id = id;
    this.epoch = epoch;
    this.screen = screen;
    this.group = group;
  }

  FakeSession(String id, int epoch, FakeScreen screen) {
    this(id, epoch, screen, Optional.empty());
  }

  /**
   * @param code what calls are refused with
   */
  void end(int code) {
    ended = code;
  }

  /** Whether this thread makes a call now. */
  boolean isWithin() {
    return within.get();
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public Optional<String> group() {
    return group;
  }

  @Override
  public int epoch() {
    return epoch;
  }

  @Override
  public DeviceInfo info() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean alive() {
    return ended == 0;
  }

  @Override
  public boolean has(Class<?> extension) {
    return screen != null && (extension == Display.class || extension == Scanout.class);
  }

  @Override
  public <X, T> T call(Class<X> extension, Function<X, T> function) {
    if (within.get()) {
      throw new AssertionError("a call within a call");
    }
    if (ended != 0) {
      throw new DriverException(ended, "the session has ended");
    }
    if (!has(extension)) {
      throw new DriverException(Errno.ENOTSUP, "no such extension");
    }
    within.set(true);
    try {
      return function.apply(extension.cast(screen));
    } catch (IsleException e) {
      // as the lane of a device does: one that is gone is on its way back
      throw new DriverException(
          e.code() == Errno.ENODEV ? Errno.EINTR : e.code(), id + ": lane: " + e.getMessage(), e);
    } finally {
      within.set(false);
      afterCall.getAndSet(() -> {}).run();
    }
  }
}
