package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.host.Sandbox;
import io.isle.core.drivers.versions.DriverHeaders;
import io.isle.core.drivers.versions.GoodLibraries;
import io.isle.core.drivers.versions.NativeVersions;
import io.isle.core.drivers.versions.VersionFiles;
import io.isle.lib.signing.DriverSignature;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Dictionary;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.util.tracker.BundleTracker;

/**
 * Extender: a bundle with the header {@code Isle-Driver: lib/libNAME.so} brings a native driver;
 * its author ships a manifest and a library, no Java. The library is unpacked under a fresh name,
 * the signature, if there is one, beside it. The header {@code Isle-Driver-Profile} says what its
 * sandbox must let through: {@code compute}, the default, {@code gpu} or {@code opencl}.
 */
final class NativeDriverTracker extends BundleTracker<NativeDriverTracker.Tracked> {
  private final DriverManager manager;
  private final NativeRuntime runtime;
  private final NativeVersions.Store store;
  private final Path caches;

  /**
   * @param caches holds a folder for each owner of drivers that may write files
   */
  NativeDriverTracker(
      BundleContext context,
      DriverManager manager,
      NativeRuntime runtime,
      NativeVersions.Store store,
      Path caches) {
    super(context, Bundle.ACTIVE, null);
    this.manager = manager;
    this.runtime = runtime;
    this.store = store;
    this.caches = caches;
  }

  /** A bundle that brings a driver. Its fields are guarded by itself. */
  static final class Tracked {
    // null until somebody has looked who it is
    private volatile NativeVersions versions;
    private boolean gone;
  }

  @Override
  public Tracked addingBundle(Bundle bundle, BundleEvent event) {
    if (bundle.getHeaders("").get(DriverHeaders.LIBRARY) == null) {
      return null;
    }
    Tracked tracked = new Tracked();
    add(bundle, tracked);
    return tracked;
  }

  private void add(Bundle bundle, Tracked tracked) {
    Dictionary<String, String> manifest = bundle.getHeaders("");
    DriverHeaders headers =
        DriverHeaders.of(
            bundle.getSymbolicName(),
            bundle.getVersion().toString(),
            manifest.get(DriverHeaders.LIBRARY),
            manifest.get(DriverHeaders.PROFILE));
    VersionFiles files =
        new VersionFiles(store.libraries(), headers.name(), headers.version(), headers.profile());
    manager.add(
        bundle,
        headers.name() + " " + headers.version(),
        () -> {
          headers.check();
          NativeVersions versions = new NativeVersions(this::confined, store, files);
          tracked.versions = versions;
          return versions.look(() -> unpack(bundle, headers.library(), files.library()));
        },
        files::delete);
  }

  private NativeRuntime confined(String owner, String profile) {
    return runtime.with(Sandbox.Profile.of(profile), caches.resolve(owner));
  }

  /** What may be loaded has changed: drivers of which it says something else come anew. */
  void recheck() {
    getTracked()
        .forEach(
            (bundle, tracked) -> {
              synchronized (tracked) {
                NativeVersions versions = tracked.versions;
                if (!tracked.gone && versions != null && !versions.stands()) {
                  manager.remove(bundle);
                  add(bundle, tracked);
                }
              }
            });
  }

  @Override
  public void removedBundle(Bundle bundle, BundleEvent event, Tracked tracked) {
    synchronized (tracked) {
      tracked.gone = true;
    }
    if (comesBack(bundle, event)) {
      manager.awaitReturn(bundle);
    } else {
      manager.remove(bundle);
    }
  }

  /** An update or restart stops a bundle without taking note of that for the next start. */
  private static boolean comesBack(Bundle bundle, BundleEvent event) {
    return event != null
        && event.getType() == BundleEvent.STOPPING
        && bundle.adapt(BundleStartLevel.class).isPersistentlyStarted();
  }

  private void unpack(Bundle bundle, String entry, Path to) {
    URL url = bundle.getEntry(entry);
    if (url == null) {
      throw new DriverException(
          Errno.ENOENT, DriverHeaders.LIBRARY + ": the bundle has no entry " + entry);
    }
    try (InputStream in = url.openStream()) {
      store.libraries().unpack(in, to);
    } catch (IOException e) {
      throw new DriverException(Errno.EIO, "cannot read " + entry + ": " + e.getMessage(), e);
    }
    URL signature = bundle.getEntry(DriverSignature.ENTRY);
    if (signature != null) {
      unpackSignature(signature, GoodLibraries.signature(to));
    }
  }

  /** One byte more than the longest that is good, so that a longer one is known as such. */
  private static void unpackSignature(URL from, Path to) {
    try (InputStream in = from.openStream()) {
      Files.write(to, in.readNBytes(DriverSignature.MAX_BYTES + 1));
    } catch (IOException e) {
      throw new DriverException(
          Errno.EIO, "cannot read " + DriverSignature.ENTRY + ": " + e.getMessage(), e);
    }
  }
}
