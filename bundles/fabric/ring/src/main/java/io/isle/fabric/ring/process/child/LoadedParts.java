package io.isle.fabric.ring.process.child;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingException;
import io.isle.fabric.ring.process.wire.Part;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarFile;

/** Makes transports and stages, each version with a class loader of its own. */
final class LoadedParts {
  private LoadedParts() {}

  /**
   * Makes a part.
   *
   * @throws RingException ENOTSUP if the class cannot be loaded or made
   */
  static <T> T load(Part part, Class<T> as) {
    try {
      return as.cast(Class.forName(part.type(), true, loader(part)).getConstructor().newInstance());
    } catch (InvocationTargetException e) {
      throw refused(part, "its constructor failed: " + e.getCause(), e.getCause());
    } catch (NoSuchMethodException e) {
      throw refused(part, "the class has no public constructor without arguments", e);
    } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
      throw refused(part, e.toString(), e);
    }
  }

  private static RingException refused(Part part, String why, Throwable cause) {
    return new RingException(
        Errno.ENOTSUP,
        part.kind().text()
            + " "
            + part.name()
            + " cannot run in a process of its own: "
            + part.type()
            + ": "
            + why
            + "; set process = shared",
        cause);
  }

  /**
   * The loader is not closed at the end of the part: threads of the part may still end, and load
   * classes for this. Its files are closed with its classes.
   */
  private static ClassLoader loader(Part part) {
    ClassLoader ours = LoadedParts.class.getClassLoader();
    if (part.jars().isEmpty()) {
      return ours;
    }
    URL[] urls = new URL[part.jars().size()];
    for (int i = 0; i < urls.length; i++) {
      try {
        urls[i] = Path.of(part.jars().get(i)).toUri().toURL();
      } catch (MalformedURLException e) {
        throw refused(part, part.jars().get(i) + " is no file", e);
      }
    }
    return opened(
        part, new URLClassLoader("isle-" + part.kind().text() + "-" + part.name(), urls, ours));
  }

  /** Opens all files: the platform deletes those of earlier versions. */
  private static ClassLoader opened(Part part, URLClassLoader loader) {
    try {
      List<URL> ignored = Collections.list(loader.findResources(JarFile.MANIFEST_NAME));
      return loader;
    } catch (IOException e) {
      throw refused(part, e.toString(), e);
    }
  }
}
