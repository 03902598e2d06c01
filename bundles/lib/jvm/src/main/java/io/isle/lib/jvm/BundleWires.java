package io.isle.lib.jvm;

import io.isle.api.base.Errno;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.namespace.BundleNamespace;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleWire;
import org.osgi.framework.wiring.BundleWiring;

/** What a JVM of its own needs for the classes of a bundle. Static methods, any thread. */
public final class BundleWires {
  private static final String OSGI = "org.osgi.";

  private BundleWires() {}

  /** Why a class cannot be made by its name alone; empty if it can. */
  public static String refusal(Class<?> type) {
    if (type.isHidden() || type.isAnonymousClass() || type.isLocalClass()) {
      return "has no name of its own";
    }
    if (!Modifier.isPublic(type.getModifiers())) {
      return "is not public";
    }
    try {
      var ignored = type.getConstructor();
      return "";
    } catch (NoSuchMethodException e) {
      return "has no public constructor without arguments";
    }
  }

  /**
   * A bundle and all that its packages come from. Packages of OSGi and of the framework are left
   * out: a process has none.
   *
   * @throws io.isle.api.base.IsleException EIO for a bundle that is not resolved
   */
  public static Set<Bundle> of(Bundle bundle, Refusal refusal) {
    Set<Bundle> found = new LinkedHashSet<>();
    collect(bundle, found, refusal);
    return found;
  }

  private static void collect(Bundle bundle, Set<Bundle> found, Refusal refusal) {
    if (bundle.getBundleId() == 0 || !found.add(bundle)) {
      return;
    }
    BundleWiring wiring = bundle.adapt(BundleWiring.class);
    if (wiring == null) {
      throw refusal.of(
          Errno.EIO,
          "bundle " + bundle.getSymbolicName() + " is not resolved; see bundle:diag",
          null);
    }
    for (BundleWire wire : wiring.getRequiredWires(null)) {
      if (brings(wire.getCapability().getNamespace(), wire.getCapability().getAttributes())) {
        collect(wire.getProvider().getBundle(), found, refusal);
      }
    }
  }

  private static boolean brings(String namespace, Map<String, Object> attributes) {
    return namespace.equals(BundleNamespace.BUNDLE_NAMESPACE)
        || namespace.equals(PackageNamespace.PACKAGE_NAMESPACE)
            && !String.valueOf(attributes.get(namespace)).startsWith(OSGI);
  }
}
