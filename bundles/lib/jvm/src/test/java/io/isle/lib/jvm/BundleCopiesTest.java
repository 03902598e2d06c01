package io.isle.lib.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;

/** Copies of the versions of a bundle, which has two files. */
class BundleCopiesTest {
  private static final class Refused extends IsleException {
    private static final long serialVersionUID = 1L;

    Refused(int code, String message, Throwable cause) {
      super(code, message, cause);
    }
  }

  @TempDir private Path temporary;

  private final Dictionary<String, String> headers = new Hashtable<>();
  private Path folder;

  @BeforeEach
  void content() throws IOException {
    folder = temporary.resolve("copies");
    Path inside = Files.createDirectories(temporary.resolve("bundle/META-INF"));
    Path ignored = Files.writeString(inside.resolve("MANIFEST.MF"), "Manifest-Version: 1.0\n");
    ignored = Files.writeString(temporary.resolve("bundle/a.txt"), "a");
  }

  /** The bundle as it is since a time. */
  private Bundle bundle(long since) {
    return (Bundle)
        Proxy.newProxyInstance(
            Bundle.class.getClassLoader(),
            new Class<?>[] {Bundle.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getHeaders" -> headers;
                  case "getSymbolicName" -> "b";
                  case "getBundleId" -> 7L;
                  case "getLastModified" -> since;
                  case "getEntry" -> file((String) arguments[0]);
                  case "findEntries" ->
                      Collections.enumeration(List.of(URI.create("file:/a.txt").toURL()));
                  default -> throw new AssertionError(method);
                });
  }

  private URL file(String name) throws MalformedURLException {
    return temporary.resolve("bundle").resolve(name).toUri().toURL();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.sorted().toList();
    }
  }

  @Test
  void aVersionIsCopiedOnce() throws IOException {
    BundleCopies copies = new BundleCopies(folder, Refused::new);
    Path copy = copies.of(bundle(1));
    assertEquals(copy, copies.of(bundle(1)));
    assertEquals(List.of(copy), files());
    try (JarFile jar = new JarFile(copy.toFile())) {
      assertEquals(2, jar.size());
    }
  }

  @Test
  void aVersionOfBeforeIsDeletedWithItsLastUser() throws IOException {
    BundleCopies copies = new BundleCopies(folder, Refused::new);
    Path first = copies.of(bundle(1));
    assertEquals(first, copies.of(bundle(1)));
    Path second = copies.of(bundle(2));
    assertNotEquals(first, second);
    copies.release(first);
    assertEquals(List.of(first, second), files());
    copies.release(first);
    assertEquals(List.of(second), files());
  }

  @Test
  void theNewestVersionStaysWithoutAUser() throws IOException {
    BundleCopies copies = new BundleCopies(folder, Refused::new);
    Path first = copies.of(bundle(1));
    copies.release(first);
    assertEquals(List.of(first), files());
    Path second = copies.of(bundle(2));
    assertEquals(List.of(second), files());
  }

  @Test
  void copiesOfAnEarlierPlatformAreDeleted() throws IOException {
    Path old = new BundleCopies(folder, Refused::new).of(bundle(1));
    BundleCopies copies = new BundleCopies(folder, Refused::new);
    assertTrue(files().isEmpty());
    assertEquals(old, copies.of(bundle(1)));
  }

  @Test
  void aBundleWithJarsInsideIsRefused() {
    headers.put("Bundle-ClassPath", "., lib/x.jar");
    BundleCopies copies = new BundleCopies(folder, Refused::new);
    IsleException refused = assertThrows(IsleException.class, () -> copies.of(bundle(1)));
    assertEquals(Errno.ENOTSUP, refused.code());
  }
}
