package io.isle.apps.jobs.data;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Gives the bytes of a file from its start to its end. */
@FunctionalInterface
public interface ByteSource {
  /**
   * Fills {@code into}.
   *
   * @return bytes read; fewer than fit only at the end
   */
  int fill(ByteBuffer into) throws IOException;
}
