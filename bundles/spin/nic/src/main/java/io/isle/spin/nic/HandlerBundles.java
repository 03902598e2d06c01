package io.isle.spin.nic;

import io.isle.api.base.ConfigFiles;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerImages;
import io.isle.lib.signing.TrustedKeys;
import io.isle.spin.nic.manage.HandlerAdmission;
import io.isle.spin.nic.manage.HandlerRegistry;
import io.isle.spin.nic.manage.HandlerTracker;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Publishes {@link HandlerImages}: the handlers of bundles with the header Isle-Handlers. */
@Component(service = HandlerImages.class, immediate = true)
public final class HandlerBundles implements HandlerImages {
  private static final String DRIVERS_PID = "io.isle.drivers";
  private static final String SIGNATURES = "signatures";
  private static final String OFF = "off";

  private final HandlerRegistry handlers;
  private final HandlerTracker tracker;

  @Activate
  public HandlerBundles(
      @Reference SpinComponent component, @Reference ConfigFiles files, BundleContext context) {
    handlers = component.handlers();
    tracker =
        new HandlerTracker(
            context,
            handlers,
            new HandlerAdmission(
                () -> signed(files),
                new TrustedKeys(Path.of(System.getProperty("karaf.etc", "etc"), "driver-keys")),
                Clock.systemUTC()),
            component.core()::handlersCame);
    tracker.open();
  }

  /** Any value but off, as drivers read it. */
  private static boolean signed(ConfigFiles files) {
    return !files
        .read(DRIVERS_PID)
        .map(settings -> settings.getOrDefault(SIGNATURES, OFF))
        .orElse(OFF)
        .strip()
        .equals(OFF);
  }

  @Deactivate
  void deactivate() {
    tracker.close();
  }

  @Override
  public List<HandlerImage> list() {
    return handlers.list();
  }

  @Override
  public Optional<HandlerImage> find(String name) {
    return handlers.find(name);
  }
}
