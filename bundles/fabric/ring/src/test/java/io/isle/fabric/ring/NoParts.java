package io.isle.fabric.ring;

import io.isle.fabric.ring.process.PartSource;
import io.isle.fabric.ring.process.wire.Part;
import java.nio.file.Path;
import java.util.List;

/** No node of these tests has a process of its own. */
final class NoParts implements PartSource {
  @Override
  public List<Path> classPath() {
    throw new IllegalStateException("a process of its own");
  }

  @Override
  public Part part(Part.Kind kind, String name, Object service) {
    throw new IllegalStateException("a process of its own");
  }

  @Override
  public void release(Part part) {}
}
