package io.isle.apps.chaos.fault;

import io.isle.api.base.IsleException;
import io.isle.apps.chaos.check.Tally;
import io.isle.apps.chaos.plan.FaultKind;
import io.isle.apps.chaos.plan.Fleet;
import io.isle.apps.chaos.plan.Step;
import io.isle.apps.chaos.platform.Core;
import io.isle.apps.chaos.platform.Pace;
import io.isle.apps.chaos.platform.Platform;
import io.isle.apps.chaos.work.Recorder;
import io.isle.lib.agent.SerialExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the faults of a schedule: one thread a device and one for all bundles, each in order, so
 * that devices fail side by side. What is thrown there is a problem of the run.
 */
public final class FaultRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FaultRunner.class);
  private static final String BUNDLES = "bundles";
  private static final int TRIES = 3;
  private static final long PAUSE_MS = 50;

  private final Core core;
  private final Pace pace;
  private final Injector injector;
  private final Recorder recorder;
  private final Tally tally;
  private final Map<String, SerialExecutor> lanes = new HashMap<>();

  public FaultRunner(Platform platform, Recorder recorder, Tally tally, Fleet fleet) {
    core = platform.core();
    pace = platform.pace();
    injector = new Injector(platform, recorder, fleet);
    this.recorder = recorder;
    this.tally = tally;
    List<String> names = new ArrayList<>(List.of(BUNDLES));
    fleet.machines().forEach(machine -> names.add(machine.id()));
    for (String name : names) {
      lanes.put(name, new SerialExecutor("chaos-lane-" + name));
    }
  }

  /** Queues a step behind the earlier ones of its target. */
  public void post(Step step) {
    recorder.step(step.number());
    String lane = step.kind() == FaultKind.BUNDLE_RESTART ? BUNDLES : step.target();
    lanes.get(lane).execute(() -> act(step));
  }

  private void act(Step step) {
    String why = "no effect was seen";
    long startNs = pace.nanoTime();
    LOG.info("{} begins", step);
    for (int i = 0; i < TRIES; i++) {
      long changes = core.changes();
      try {
        pace.pass(i * PAUSE_MS);
        if (injector.act(step)) {
          tally.add(step.kind());
          LOG.info("{} in {} ms", step, TimeUnit.NANOSECONDS.toMillis(pace.nanoTime() - startNs));
          return;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (Core.AwayException | IsleException e) {
        // the device or a bundle that it needs is in the middle of another fault
        why = String.valueOf(e.getMessage());
      } catch (Error e) {
        recorder.problem("unexpected: " + step + ": " + e);
        return;
      } catch (RuntimeException e) {
        if (!(e instanceof IllegalStateException) || core.changes() == changes) {
          recorder.problem("unexpected: " + step + ": " + e);
          return;
        }
        // it met a service that stops
        why = String.valueOf(e.getMessage());
      }
    }
    LOG.warn("{} had no effect: {}", step, why);
  }

  /** Forgets the steps that have not begun; a step that is cut off leaves half a fault. */
  public void drop() {
    lanes.values().forEach(SerialExecutor::drop);
  }

  /** Takes no more steps. */
  public void end() {
    lanes.values().forEach(SerialExecutor::shut);
  }

  /** Waits until all steps were acted after {@link #end}; false when that takes longer. */
  public boolean awaitEnd(long ms) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    for (SerialExecutor lane : lanes.values()) {
      if (!lane.awaitEnd(Duration.ofNanos(end - System.nanoTime()))) {
        return false;
      }
    }
    return true;
  }

  /** Ends at once, without waiting for steps that are being acted. */
  @Override
  public void close() {
    lanes.values().forEach(SerialExecutor::abort);
  }
}
