package io.isle.faces.shell;

import java.util.Optional;
import java.util.function.Function;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceReference;

/** Finds services in the registry, on behalf of the bundle that {@code owner} belongs to. */
public final class OsgiServices implements Services {
  private final Class<?> owner;

  public OsgiServices(Class<?> owner) {
    this.owner = owner;
  }

  @Override
  public <S, R> Optional<R> ifThere(Class<S> type, Function<S, R> use) {
    Bundle bundle = FrameworkUtil.getBundle(owner);
    BundleContext context = bundle == null ? null : bundle.getBundleContext();
    ServiceReference<S> reference = context == null ? null : context.getServiceReference(type);
    S service = reference == null ? null : context.getService(reference);
    if (service == null) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(use.apply(service));
    } finally {
      unget(context, reference);
    }
  }

  private static void unget(BundleContext context, ServiceReference<?> reference) {
    try {
      context.ungetService(reference);
    } catch (IllegalStateException e) {
      // the bundle was stopped during the call, whose own failure says what that means
    }
  }
}
