package io.isle.fabric.ring.process;

import io.isle.fabric.ring.process.wire.Part;
import java.nio.file.Path;
import java.util.List;

/** The files and classes of processes of nodes. Thread-safe. */
public interface PartSource {
  /**
   * The class path of a process.
   *
   * @throws io.isle.api.fabric.RingException if a file cannot be had
   */
  List<Path> classPath();

  /**
   * A transport or stage for a process. Its files stay until {@link #release}.
   *
   * @param service as it is in our process
   * @throws io.isle.api.fabric.RingException ENOTSUP with the reason, if the class cannot run
   *     outside of our process; EIO if a file cannot be written
   */
  Part part(Part.Kind kind, String name, Object service);

  /** No process of the caller loads this part any more: once for each call of {@link #part}. */
  void release(Part part);
}
