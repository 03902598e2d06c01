package io.isle.apps.chaos;

import io.isle.api.base.Errno;
import io.isle.api.base.ExitStatus;
import io.isle.api.chaos.Chaos;
import io.isle.api.chaos.ChaosException;
import io.isle.api.chaos.ChaosObserver;
import io.isle.api.chaos.ChaosReport;
import io.isle.api.chaos.ChaosRequest;
import io.isle.apps.chaos.plan.Fleet;
import java.util.concurrent.atomic.AtomicReference;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;

/** Publishes the chaos service; it waits for no other service, since it restarts them all. */
@Component(service = Chaos.class)
public final class ChaosComponent implements Chaos {
  private final BundleContext context;
  private final AtomicReference<Thread> running = new AtomicReference<>();

  @Activate
  public ChaosComponent(BundleContext context) {
    this.context = context;
  }

  @Deactivate
  void stop() {
    Thread thread = running.get();
    if (thread != null) {
      thread.interrupt();
    }
  }

  @Override
  public ChaosReport run(ChaosRequest request, ChaosObserver observer) {
    if (!Boolean.parseBoolean(context.getProperty(PROPERTY))) {
      throw new ChaosException(
          Errno.EACCES,
          ExitStatus.FAILED,
          "this node was not started for chaos; use ./isle chaos, which starts one of its own",
          null);
    }
    if (!running.compareAndSet(null, Thread.currentThread())) {
      throw new ChaosException(Errno.EBUSY, ExitStatus.FAILED, "a run is under way", null);
    }
    try (ChaosRun run = new ChaosRun(context, request, observer, Fleet.STANDARD)) {
      return run.run();
    } catch (InterruptedException e) {
      throw new ChaosException(Errno.ECANCELED, ExitStatus.INTERRUPTED, "interrupted", e);
    } finally {
      running.set(null);
    }
  }
}
