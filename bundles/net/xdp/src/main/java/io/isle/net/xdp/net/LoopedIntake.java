package io.isle.net.xdp.net;

import io.isle.api.net.FrameMatch;
import java.util.Optional;

/**
 * The programs of an interface and of the loopback.
 *
 * @param first of the interface
 */
record LoopedIntake(Intake first, Intake loopback) implements Intake {
  @Override
  public void match(Optional<FrameMatch> wanted) {
    first.match(wanted);
    loopback.match(wanted);
  }

  @Override
  public boolean isAttached() {
    return first.isAttached() && loopback.isAttached();
  }

  @Override
  public long missed() {
    return first.missed() + loopback.missed();
  }

  @Override
  public void close() {
    loopback.close();
    first.close();
  }
}
