package io.isle.fabric.jobs;

import io.isle.api.fabric.RingTransport;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.ServiceReference;

/** A framework with the transport tcp, whose bundle can be updated. */
final class FakeBundles {
  final List<String> updates = new ArrayList<>();

  /** Calls for services after an update that do not find the transport yet. */
  int absent;

  boolean fails;

  private final Bundle bundle = fake(Bundle.class, Map.of("getSymbolicName", "fake.tcp"));
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
                  case "getProperty" ->
                      RingTransport.NAME_PROPERTY.equals(arguments[0]) ? "tcp" : null;
                  case "getServiceReferences" -> references();
                  default -> results.get(method.getName());
                }));
  }

  private Object update() throws BundleException {
    if (fails) {
      throw new BundleException("no file");
    }
    updates.add("fake.tcp");
    return null;
  }

  private List<ServiceReference<?>> references() {
    boolean gone = !updates.isEmpty() && absent-- > 0;
    return gone ? List.of() : List.of(service);
  }

  TransportBundles bundles() {
    return new TransportBundles(fake(BundleContext.class, Map.of()));
  }
}
