package io.isle.net.apps;

import io.isle.lib.packet.capture.Direction;
import io.isle.lib.packet.capture.PcapngWriter;
import io.isle.lib.tile.TapMark;

/** Facts of frames in the form of the file; those that were made before are used again. */
final class CaptureFacts {
  private static final int PLACES = 1024;

  /** Of a mark: direction, reason, queue. */
  private static final int SHIFT = 48;

  private final PcapngWriter.Facts[] made = new PcapngWriter.Facts[PLACES];
  private final int[] keys = new int[PLACES];

  /**
   * The facts of a mark.
   *
   * @param lost frames that were lost before this one
   */
  PcapngWriter.Facts of(long mark, long lost) {
    if (lost != 0) {
      return make(mark, lost);
    }
    int key = (int) (mark >>> SHIFT);
    int place = (key ^ key >>> 6) & PLACES - 1;
    PcapngWriter.Facts facts = made[place];
    if (facts == null || keys[place] != key) {
      facts = make(mark, 0);
      made[place] = facts;
      keys[place] = key;
    }
    return facts;
  }

  private static PcapngWriter.Facts make(long mark, long lost) {
    return new PcapngWriter.Facts(
        TapMark.isSent(mark) ? Direction.OUTBOUND : Direction.INBOUND,
        TapMark.queue(mark),
        lost,
        TapMark.reasonText(mark));
  }
}
