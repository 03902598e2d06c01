package io.isle.spin.nic;

import io.isle.api.base.ConfigFiles;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerImages;
import io.isle.lib.signing.TrustedKeys;
import io.isle.spin.nic.manage.HandlerAdmission;
import io.isle.spin.nic.manage.HandlerListener;
import io.isle.spin.nic.manage.HandlerRegistry;
import io.isle.spin.nic.manage.HandlerTracker;
import io.isle.spin.nic.manage.SignatureSetting;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Publishes {@link HandlerImages}: the handlers of bundles with the header Isle-Handlers. */
@Component(service = HandlerImages.class, immediate = true)
public final class HandlerBundles implements HandlerImages, HandlerListener {
  private static final System.Logger LOG = System.getLogger(HandlerBundles.class.getName());
  private static final Duration PERIOD = Duration.ofMillis(500);

  private final SpinComponent component;
  private final HandlerRegistry handlers;
  private final HandlerAdmission admission;
  private final HandlerTracker tracker;
  private volatile boolean over;
  private String rules;

  @Activate
  public HandlerBundles(
      @Reference SpinComponent component, @Reference ConfigFiles files, BundleContext context) {
    this.component = component;
    handlers = component.handlers();
    admission =
        new HandlerAdmission(
            new SignatureSetting(files),
            new TrustedKeys(Path.of(System.getProperty("karaf.etc", "etc"), "driver-keys")),
            Clock.systemUTC());
    rules = admission.rules();
    tracker = new HandlerTracker(context, handlers, admission, this);
    tracker.open();
    component.thread().every(PERIOD, this::look);
  }

  @Deactivate
  void deactivate() {
    over = true;
    tracker.close();
  }

  /** Signatures that are required from now on, and keys that come, go or expire, count at once. */
  private void look() {
    if (over) {
      return;
    }
    String now = admission.rules();
    if (!now.equals(rules)) {
      rules = now;
      tracker.recheck();
    }
  }

  @Override
  public void came(String name) {
    component.core().updates().came(name);
  }

  @Override
  public void refused(String bundle, List<HandlerImage> images, int code, String why) {
    LOG.log(System.Logger.Level.WARNING, "{0}: {1}", bundle, why);
    Audit audit = component.audit();
    if (audit != null) {
      audit.record(AuditEvent.of(Actor.PLATFORM, "spin.refuse").object(bundle).failed(code, why));
    }
    component.core().updates().refused(images, why);
  }

  @Override
  public List<HandlerImage> list() {
    return handlers.list();
  }

  @Override
  public Optional<HandlerImage> find(String name) {
    return handlers.find(name);
  }

  @Override
  public HandlerImage require(String name) {
    return handlers.require(name);
  }
}
