package io.isle.core.accel;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.ControlLane;
import io.isle.api.driver.DriverException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A control lane as the owner of drivers makes it, without what is only that one's concern. */
public final class TestLane implements ControlLane {
  private final String name;
  private final BooleanSupplier alive;
  private final Duration bound;
  private final Consumer<RecoveryCause> failed;
  private final CompletableFuture<Void> aborted = new CompletableFuture<>();
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());

  /**
   * @param failed hears of calls that do not return or are answered with ENODEV
   */
  public TestLane(
      String name, BooleanSupplier alive, Duration bound, Consumer<RecoveryCause> failed) {
    this.name = name;
    this.alive = alive;
    this.bound = bound;
    this.failed = failed;
  }

  @Override
  public <T> T call(String what, Supplier<T> operation) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      thread.execute(() -> make(operation, answer));
    } catch (RejectedExecutionException e) {
      throw recovering(what, e);
    }
    var either =
        CompletableFuture.anyOf(answer, aborted).orTimeout(bound.toMillis(), TimeUnit.MILLISECONDS);
    try {
      var ignored = either.join();
      if (answer.isDone()) {
        return answer.join();
      }
      throw recovering(what, null);
    } catch (CancellationException e) {
      throw recovering(what, e);
    } catch (CompletionException e) {
      throw refused(what, e.getCause());
    }
  }

  private static <T> void make(Supplier<T> operation, CompletableFuture<T> answer) {
    try {
      answer.complete(operation.get());
    } catch (RuntimeException | Error e) {
      answer.completeExceptionally(e);
    }
  }

  private DriverException refused(String what, Throwable cause) {
    if (cause instanceof java.util.concurrent.TimeoutException) {
      String why = what + " did not return within " + bound.toMillis() + " ms";
      failed.accept(new RecoveryCause(RecoveryCause.Kind.HANG, why));
      return new DriverException(Errno.ETIMEDOUT, name + ": " + why, cause);
    }
    int code =
        switch (cause) {
          case IsleException refusal -> refusal.code();
          case OutOfMemoryError e -> Errno.ENOMEM;
          default -> Errno.EIO;
        };
    String text = cause instanceof IsleException ? cause.getMessage() : cause.toString();
    if (code == Errno.ENODEV) {
      if (alive.getAsBoolean()) {
        failed.accept(new RecoveryCause(RecoveryCause.Kind.CRASH, what + ": " + text));
      }
      return recovering(what, cause);
    }
    return new DriverException(code, name + ": " + what + ": " + text, cause);
  }

  private DriverException recovering(String what, Throwable cause) {
    return new DriverException(Errno.EINTR, name + ": " + what + ": the device recovers", cause);
  }

  @Override
  public void run(String what, Runnable operation) {
    boolean ignored =
        call(
            what,
            () -> {
              operation.run();
              return true;
            });
  }

  @Override
  public <T> T build(String what, int programs, Supplier<T> operation) {
    return call(what, operation);
  }

  @Override
  public void post(String what, Runnable operation, Consumer<DriverException> done) {
    Thread.ofVirtual()
        .start(
            () -> {
              DriverException failure = null;
              try {
                run(what, operation);
              } catch (DriverException e) {
                failure = e;
              }
              done.accept(failure);
            });
  }

  /** The device is taken away. */
  public void abort() {
    thread.shutdownNow();
    boolean ignored = aborted.complete(null);
  }
}
