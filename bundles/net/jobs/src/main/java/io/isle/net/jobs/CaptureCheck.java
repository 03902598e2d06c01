package io.isle.net.jobs;

import io.isle.lib.packet.UdpFrame;
import io.isle.lib.packet.capture.CaptureReader;
import io.isle.lib.packet.capture.Direction;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.BitSet;

/**
 * What the capture of a step has. Each number must be there once in each direction. Immutable.
 *
 * @param frames of the file
 * @param missing numbers that are not there, of both directions
 * @param again frames whose number was there before, in the same direction
 * @param others frames that are no datagrams of the step, or were dropped
 */
record CaptureCheck(long frames, long missing, long again, long others) {
  private static final ValueLayout.OfLong NUMBER =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /**
   * Reads a capture to its end.
   *
   * @param datagrams of the step, with numbers from 0
   */
  static CaptureCheck read(CaptureReader file, long datagrams) throws IOException {
    BitSet in = new BitSet();
    BitSet out = new BitSet();
    long frames = 0;
    long again = 0;
    long others = 0;
    while (file.next()) {
      frames++;
      long number =
          file.length() < UdpFrame.MIN_BYTES + Long.BYTES
              ? -1
              : file.memory().get(NUMBER, UdpFrame.MIN_BYTES);
      boolean known = number >= 0 && number < datagrams && file.comment().isEmpty();
      if (!known || file.direction() == Direction.UNKNOWN) {
        others++;
        continue;
      }
      BitSet seen = file.direction() == Direction.INBOUND ? in : out;
      again += seen.get((int) number) ? 1 : 0;
      seen.set((int) number);
    }
    long missing = 2 * datagrams - in.cardinality() - out.cardinality();
    return new CaptureCheck(frames, missing, again, others);
  }

  /** Frames that are not there once as they should be. */
  long wrong() {
    return missing + again + others;
  }

  /** As a line for users. */
  String text() {
    return "captured "
        + frames
        + " frames"
        + (wrong() == 0
            ? ", each once in each direction"
            : ": " + missing + " missing, " + again + " again, " + others + " others");
  }
}
