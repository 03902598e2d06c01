package io.isle.net.xdp.host;

import java.nio.file.Path;
import java.util.List;

/**
 * A version of tiles that processes run: their class path, and the class that makes tiles. Files
 * stay until the last {@link #release}. Thread-safe.
 */
public final class TileVersion {
  private final String type;
  private final List<Path> classPath;
  private final Runnable unused;
  private int users = 1;

  /**
   * A version with one user.
   *
   * @param type class with a public constructor without arguments
   * @param unused called when the last user has released the files
   */
  public TileVersion(String type, List<Path> classPath, Runnable unused) {
    this.type = type;
    this.classPath = List.copyOf(classPath);
    this.unused = unused;
  }

  String type() {
    return type;
  }

  List<Path> classPath() {
    return classPath;
  }

  /** One user more, beside one that has the files. */
  public synchronized void retain() {
    users++;
  }

  /** One user less. */
  public void release() {
    synchronized (this) {
      users--;
      if (users > 0) {
        return;
      }
    }
    unused.run();
  }
}
