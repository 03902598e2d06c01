package io.isle.net.jobs;

import java.lang.reflect.Proxy;
import java.util.Map;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.ServiceReference;

/** A framework with tiles, whose bundle can be updated. */
final class FakeFramework {
  int updates;

  /** Looks after an update that do not find tiles yet. */
  int absent;

  boolean fails;
  boolean offered = true;

  private final Bundle bundle = fake(Bundle.class, Map.of("getSymbolicName", "fake.tile"));
  private final ServiceReference<?> service = fake(ServiceReference.class, Map.of());

  private <T> T fake(Class<T> type, Map<String, Object> results) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "update" -> update();
                  case "getBundle" -> bundle;
                  case "getServiceReference" -> reference();
                  default -> results.get(method.getName());
                }));
  }

  private Object update() throws BundleException {
    if (fails) {
      throw new BundleException("no file");
    }
    updates++;
    return null;
  }

  private ServiceReference<?> reference() {
    return offered && (updates == 0 || absent-- <= 0) ? service : null;
  }

  TileBundle tiles() {
    return new TileBundle(fake(BundleContext.class, Map.of()));
  }
}
