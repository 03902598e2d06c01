package io.isle.net.xdp.net;

import io.isle.api.net.FrameMatch;
import java.util.Optional;

/** What takes frames for the tiles of a net. Belongs to the executor of the nets. */
interface Intake extends AutoCloseable {
  /**
   * Takes other frames from now on; none if empty.
   *
   * @throws io.isle.api.net.NetException EBUSY if another program is attached; EPERM and others
   */
  void match(Optional<FrameMatch> wanted);

  /** Whether frames are taken. */
  boolean isAttached();

  /** Frames that matched, and came by a queue without a tile. */
  long missed();

  @Override
  void close();
}
