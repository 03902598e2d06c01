package io.isle.api.net;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ProviderType;

/** A loaded program that is asked for its verdicts; no frame is sent. One thread at a time. */
@ProviderType
public interface FrameJudge extends AutoCloseable {
  /** Bytes of the shortest frame. */
  int MIN_FRAME_BYTES = 14;

  /** Bytes of the longest frame. */
  int MAX_FRAME_BYTES = 65535;

  /** Most runs for one verdict. */
  int MAX_REPEAT = 10_000;

  /**
   * The verdict about a frame that arrives on queue 0, where a socket waits.
   *
   * @param frame {@link #MIN_FRAME_BYTES} to {@link #MAX_FRAME_BYTES} bytes of any memory
   * @param repeat runs whose mean time is taken, 1 to {@link #MAX_REPEAT}
   * @throws NetException EINVAL for a wrong length or number; ECLOSED after the close
   */
  FrameVerdict judge(MemorySegment frame, int repeat);

  /** Takes the program out of the kernel. Idempotent. */
  @Override
  void close();
}
