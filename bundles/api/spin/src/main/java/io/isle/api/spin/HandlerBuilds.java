package io.isle.api.spin;

import org.osgi.annotation.versioning.ProviderType;

/** Builds handlers from C. Thread-safe. */
@ProviderType
public interface HandlerBuilds {
  /**
   * Calls the compiler, within bounds of time and memory. Images are kept: where sources, headers,
   * options and compiler are those of before, the image comes from there.
   *
   * @param name of the image
   * @throws SpinException EACCES for a user without the role admin; ENOTSUP if this machine or its
   *     compiler cannot build handlers; ETIMEDOUT; EINVAL for another name; EMSGSIZE for a longer
   *     image than {@link HandlerImage#MAX_BYTES}; EIO
   * @throws InterruptedException if the thread was interrupted; the compiler has ended
   */
  HandlerBuild build(String name, BuildSpec spec) throws InterruptedException;
}
