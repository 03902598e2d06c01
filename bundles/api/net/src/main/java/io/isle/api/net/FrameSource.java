package io.isle.api.net;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Frames that have arrived, oldest first. A source that is read too slowly loses the oldest frames,
 * and counts them. Calls allocate nothing and never wait. One thread at a time.
 */
@ProviderType
public interface FrameSource {
  /** Takes frames that cannot change any more. */
  @FunctionalInterface
  interface Handler {
    /**
     * Takes one frame.
     *
     * @param memory valid during the call; bytes outside of the frame are of no meaning
     * @param offset of the first byte, the destination of Ethernet
     * @param length bytes, 14 to 65535; of captures of other links than Ethernet, 1 or more
     * @param signature of the frame, as its producer set it
     */
    void frame(MemorySegment memory, long offset, int length, long signature);
  }

  /** Takes frames where they lie: another frame may replace one of them during the call. */
  interface PlaceHandler extends Handler {
    /** The frame of the last call has been whole until now. */
    void valid();

    /** The frame of the last call may have been replaced: its bytes are of no meaning. */
    void overrun();
  }

  /**
   * Copies each frame, makes sure that the copy is whole, then passes the copy on.
   *
   * @param limit most frames, 1 or more
   * @return passed frames; 0 without a frame; -ECLOSED when the port has ended
   */
  int poll(Handler handler, int limit);

  /**
   * Passes frames on without a copy; each call of {@link Handler#frame} is followed by {@link
   * PlaceHandler#valid} or {@link PlaceHandler#overrun}.
   *
   * @param limit most frames, 1 or more
   * @return valid frames; 0 without one; -ECLOSED when the port has ended
   */
  int pollInPlace(PlaceHandler handler, int limit);

  /** Frames that were lost because they were not read in time; any thread. */
  long overruns();
}
