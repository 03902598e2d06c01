package io.isle.api.net;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Frames to send, in order. A frame is written in place between {@link #claim} and {@link
 * #publish}. Calls allocate nothing and never wait. One thread at a time.
 */
@ProviderType
public interface FrameSink {
  /** Where claimed frames are written; the same segment until the end of the port. */
  MemorySegment memory();

  /** Largest frame in bytes, with the header of Ethernet. */
  int mtu();

  /**
   * Reserves memory for one frame; a further claim before the publish gives the same memory.
   *
   * @param length largest length of the frame, 14 to {@link #mtu}
   * @return offset in {@link #memory}; -EAGAIN without room; -EMSGSIZE; -ECLOSED when the port has
   *     ended
   */
  long claim(int length);

  /**
   * Hands over the claimed frame; {@link FramePort#flush} makes sure that the frame leaves soon.
   *
   * @param length of the frame, 14 to the claimed length
   * @param signature for the consumer
   * @return 0; -EINVAL without a claim or for a wrong length; -ECLOSED when the port has ended
   */
  int publish(int length, long signature);
}
