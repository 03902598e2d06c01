package io.isle.fabric.ring.process;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingException;
import io.isle.fabric.ring.process.wire.Part;
import io.isle.lib.jvm.BundleCopies;
import io.isle.lib.jvm.BundleWires;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;

/**
 * The bundles that this bundle and those of transports and stages are wired to. Packages of OSGi
 * and of the framework are left out: a process of a node has none. Thread-safe.
 */
public final class BundleParts implements PartSource {
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
      copies = new BundleCopies(folder, RingException::new);
    }
    return copies;
  }

  private static Set<Bundle> wired(Bundle bundle) {
    return BundleWires.of(bundle, RingException::new);
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
    String why = BundleWires.refusal(type);
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
}
