package io.isle.fabric.ring.isle;

import io.isle.api.fabric.RingSide;

/** A path in virtual time between a connecting and a listening port. */
interface FakePath {
  /** The port of {@link RingSide#NEXT} connects, that of {@link RingSide#PREV} listens. */
  FakePort port(RingSide side);

  /** Sets the time of what is sent from now on. */
  void now(long nowNs);

  /** Ends the connection; of what is under way, a random part still arrives. */
  void cut();

  /** Nothing passes, or connects, while {@code down}. */
  void down(boolean down);

  /**
   * From now on, parts in a hundred of what is sent are lost, repeated or come with a wrong bit.
   */
  void harm(int lossPercent, int twicePercent, int corruptPercent);

  /** Bytes that are under way in both directions. */
  long underWay();
}
