package io.isle.faces.control;

import java.util.concurrent.CompletableFuture;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a private platform when the process that started it is gone, however it ended. The process
 * id is the framework property {@code isle.control.owner}; without it the platform has no owner.
 */
@Component(
    service = {},
    immediate = true)
public final class OwnerWatch {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerWatch.class);

  private final CompletableFuture<Void> watch;

  /** Starts to watch. An owner that has already ended stops the platform at once. */
  @Activate
  public OwnerWatch(BundleContext context) {
    String owner = context.getProperty("isle.control.owner");
    if (owner == null || owner.isBlank()) {
      watch = CompletableFuture.completedFuture(null);
      return;
    }
    watch =
        ProcessHandle.of(Long.parseLong(owner))
            .map(ProcessHandle::onExit)
            .orElseGet(() -> CompletableFuture.completedFuture(null))
            .thenAccept(ended -> stopPlatform(context, owner));
  }

  @Deactivate
  void stop() {
    watch.cancel(false);
  }

  private static void stopPlatform(BundleContext context, String owner) {
    LOG.info("Process {}, which this platform was started for, has ended: stopping", owner);
    try {
      context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).stop();
    } catch (BundleException | RuntimeException | Error e) {
      LOG.error("The platform cannot be stopped after the end of its owner process", e);
    }
  }
}
