package io.isle.api.net;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Source and sink of one place where frames come and go: an app's attachment to a net, a file of
 * captured frames, memory. One thread at a time, but for {@link #close}.
 */
@ProviderType
public interface FramePort extends FrameSource, FrameSink, AutoCloseable {
  /**
   * Sends what was published.
   *
   * @return 0; -ECLOSED when the port has ended
   */
  int flush();

  /** Ends the port; later calls return -ECLOSED. Any thread. */
  @Override
  void close();
}
