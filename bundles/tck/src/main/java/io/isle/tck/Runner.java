package io.isle.tck;

import io.isle.api.base.IsleException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Runs cases, each on a thread of its own and with a device of its own. */
final class Runner {
  private static final long LIMIT_S = 60;

  private final Duration patience;

  /**
   * A runner.
   *
   * @param patience how long a case waits for a completion
   */
  Runner(Duration patience) {
    this.patience = patience;
  }

  Result run(Supplier<Subject> subject, Case what) {
    FutureTask<Result> task = new FutureTask<>(() -> attempt(subject, what));
    Thread thread = new Thread(task, "isle-tck-" + what.name());
    thread.setDaemon(true);
    thread.start();
    try {
      Result result = task.get(LIMIT_S, TimeUnit.SECONDS);
      thread.join();
      return result;
    } catch (TimeoutException e) {
      thread.interrupt();
      return failed(what, "the case hangs: no end after " + LIMIT_S + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(what, "interrupted");
    } catch (ExecutionException e) {
      return failed(what, String.valueOf(e.getCause()));
    }
  }

  private Result attempt(Supplier<Subject> subject, Case what) {
    try (Rig rig = new Rig(subject.get(), what.settings(), patience)) {
      what.body().run(rig);
      return new Result(what.name(), Result.Outcome.OK, "");
    } catch (Check.Skipped e) {
      return new Result(what.name(), Result.Outcome.SKIPPED, e.getMessage());
    } catch (Check.Broken e) {
      return failed(what, e.getMessage());
    } catch (IsleException e) {
      return failed(what, "a good call is refused: " + e.getMessage());
    } catch (Exception | LinkageError | StackOverflowError e) {
      return failed(what, "the driver threw " + e);
    }
  }

  private static Result failed(Case what, String why) {
    return new Result(
        what.name(), Result.Outcome.FAILED, why.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", " "));
  }
}
