package io.isle.apps.chaos;

import io.isle.api.base.Errno;
import io.isle.api.base.ExitStatus;
import io.isle.api.chaos.Chaos;
import io.isle.api.chaos.ChaosException;
import io.isle.api.chaos.ChaosObserver;
import io.isle.api.chaos.ChaosReport;
import io.isle.api.chaos.ChaosRequest;
import io.isle.apps.chaos.plan.Fleet;
import io.isle.apps.chaos.platform.Pace;
import io.isle.apps.chaos.platform.Platform;
import io.isle.apps.chaos.platform.TrackedCore;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;

/** Publishes the chaos service; it waits for no other service, since it restarts them all. */
@Component(service = Chaos.class)
public final class ChaosComponent implements Chaos {
  private static final System.Logger LOG = System.getLogger(ChaosComponent.class.getName());
  private static final long END_S = 30;

  private record Running(Thread thread, CountDownLatch ended) {}

  private final BundleContext context;
  private final AtomicReference<Running> running = new AtomicReference<>();

  @Activate
  public ChaosComponent(BundleContext context) {
    this.context = context;
  }

  /** Ends a run that is under way, and waits for its end. */
  @Deactivate
  void stop() {
    Running now = running.get();
    if (now == null) {
      return;
    }
    now.thread().interrupt();
    try {
      if (!now.ended().await(END_S, TimeUnit.SECONDS)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "the chaos run did not end in time after the stop of its bundle");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public ChaosReport run(ChaosRequest request, ChaosObserver observer) {
    if (!Boolean.parseBoolean(context.getProperty(PROPERTY))) {
      throw new ChaosException(
          Errno.EACCES,
          ExitStatus.FAILED,
          "this node was not started for chaos runs; use ./isle chaos, which starts a private node",
          null);
    }
    Running now = new Running(Thread.currentThread(), new CountDownLatch(1));
    if (!running.compareAndSet(null, now)) {
      throw new ChaosException(
          Errno.EBUSY,
          ExitStatus.FAILED,
          "another chaos run is in progress; wait for its end",
          null);
    }
    try (TrackedCore core = new TrackedCore(context)) {
      Platform platform = Platform.of(context, core, Pace.REAL);
      Fleet fleet = Fleet.of(platform.bundles().parts());
      try (ChaosRun run = new ChaosRun(platform, request, observer, fleet)) {
        return run.run();
      }
    } finally {
      running.set(null);
      now.ended().countDown();
    }
  }
}
