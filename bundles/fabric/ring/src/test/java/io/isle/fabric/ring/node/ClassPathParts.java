package io.isle.fabric.ring.node;

import io.isle.fabric.ring.process.PartSource;
import io.isle.fabric.ring.process.wire.Part;
import io.isle.lib.net.Names;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Parts from the class path of the test, divided as that of the platform: the ring and its
 * libraries for the process, transports and the stages of tests beside it.
 */
final class ClassPathParts implements PartSource {
  private final Set<Path> beside;

  ClassPathParts(Class<?>... ofParts) {
    beside = Set.copyOf(Arrays.stream(ofParts).map(ClassPathParts::place).distinct().toList());
  }

  private static Path place(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public List<Path> classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(entry -> Path.of(entry).toAbsolutePath())
        .filter(entry -> !beside.contains(entry))
        .toList();
  }

  @Override
  public Part part(Part.Kind kind, String name, Object service) {
    Path place = place(service.getClass());
    List<String> jars =
        beside.contains(place)
            ? List.of(place.toString(), place(Names.class).toString())
            : List.of();
    return new Part(kind, name, service.getClass().getName(), jars);
  }

  @Override
  public void release(Part part) {}
}
