package io.isle.fabric.ring.process;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingException;
import io.isle.fabric.ring.process.wire.Part;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.namespace.BundleNamespace;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleWire;
import org.osgi.framework.wiring.BundleWiring;

/**
 * The bundles that this bundle and those of transports and stages are wired to. Packages of OSGi
 * and of the framework are left out: a process of a node has none. Thread-safe.
 */
public final class BundleParts implements PartSource {
  private static final String OSGI = "org.osgi.";

  private final Bundle self;
  private final Path folder;
  private BundleCopies copies;

  /**
   * @param folder for copies; emptied before the first one
   */
  public BundleParts(Bundle self, Path folder) {
    this.self = self;
    this.folder = folder;
  }

  private synchronized BundleCopies copies() {
    if (copies == null) {
      copies = new BundleCopies(folder);
    }
    return copies;
  }

  private Path copy(Bundle bundle) {
    return copies().of(bundle);
  }

  @Override
  public void release(Part part) {
    part.jars().forEach(jar -> copies().release(Path.of(jar)));
  }

  /** Processes may load classes at any time: these copies stay. */
  @Override
  public List<Path> classPath() {
    return wired(self).stream().map(this::copy).toList();
  }

  @Override
  public Part part(Part.Kind kind, String name, Object service) {
    Class<?> type = service.getClass();
    String why = refusal(type);
    Bundle bundle = FrameworkUtil.getBundle(type);
    if (why.isEmpty() && bundle == null) {
      why = "is of no bundle";
    }
    if (!why.isEmpty()) {
      throw new RingException(
          Errno.ENOTSUP,
          kind.text()
              + " "
              + name
              + " cannot run in a process of its own, because its class "
              + type.getName()
              + " "
              + why
              + "; set process = shared");
    }
    Set<Bundle> beside = wired(bundle);
    beside.removeAll(wired(self));
    List<String> jars = beside.stream().map(one -> copy(one).toString()).toList();
    return new Part(kind, name, type.getName(), jars);
  }

  /** Why a class cannot be made by its name alone; empty if it can. */
  static String refusal(Class<?> type) {
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

  /** A bundle and all that its packages come from. */
  private static Set<Bundle> wired(Bundle bundle) {
    Set<Bundle> found = new LinkedHashSet<>();
    collect(bundle, found);
    return found;
  }

  private static void collect(Bundle bundle, Set<Bundle> found) {
    if (bundle.getBundleId() == 0 || !found.add(bundle)) {
      return;
    }
    BundleWiring wiring = bundle.adapt(BundleWiring.class);
    if (wiring == null) {
      throw new RingException(
          Errno.EIO, "bundle " + bundle.getSymbolicName() + " is not resolved; see bundle:diag");
    }
    for (BundleWire wire : wiring.getRequiredWires(null)) {
      if (brings(wire.getCapability().getNamespace(), wire.getCapability().getAttributes())) {
        collect(wire.getProvider().getBundle(), found);
      }
    }
  }

  private static boolean brings(String namespace, Map<String, Object> attributes) {
    return namespace.equals(BundleNamespace.BUNDLE_NAMESPACE)
        || namespace.equals(PackageNamespace.PACKAGE_NAMESPACE)
            && !String.valueOf(attributes.get(namespace)).startsWith(OSGI);
  }
}
