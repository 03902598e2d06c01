package io.isle.benchmarks.recovery;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;

/** A bundle with nothing in it: what replacing a bundle costs by itself. */
final class EmptyBundle {
  private final byte[] jar;
  private final Bundle bundle;

  EmptyBundle(BundleContext context) throws IOException, BundleException {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.putValue("Bundle-ManifestVersion", "2");
    main.putValue("Bundle-SymbolicName", "empty");
    main.putValue("Bundle-Version", "1.0.0");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new JarOutputStream(bytes, manifest).close();
    jar = bytes.toByteArray();
    bundle = context.installBundle("empty", new ByteArrayInputStream(jar));
    bundle.start();
  }

  /** Nanoseconds of an update, stop and start included. */
  double measure() throws BundleException {
    long start = System.nanoTime();
    bundle.update(new ByteArrayInputStream(jar));
    return System.nanoTime() - start;
  }
}
