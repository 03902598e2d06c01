package io.isle.api.net;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Programs that the kernel runs for each arriving frame (eBPF for XDP): those of Isle and those of
 * others. Thread-safe.
 */
@ProviderType
public interface FramePrograms {
  /** Most instructions of 8 bytes. */
  int MAX_INSTRUCTIONS = 512;

  /**
   * A program that redirects matching frames to the socket of their queue, and passes all others to
   * the kernel, also where the queue has no socket.
   *
   * @param map descriptor of an XSKMAP in the process that loads the program, 0 or more
   * @return instructions as the kernel takes them; the map is their only reference
   * @throws NetException EINVAL
   */
  byte[] program(FrameMatch match, int map);

  /**
   * The instructions of a program as text; of any bytes.
   *
   * @throws NetException EINVAL if the size is not 1 to {@link #MAX_INSTRUCTIONS} times 8 bytes
   */
  List<ProgramLine> listing(byte[] program);

  /**
   * Loads a program with an XSKMAP of its own, on which every map of the program is set. The
   * program may call only those helpers of the kernel that act on the frame alone.
   *
   * @throws NetException EINVAL for a wrong size, another kind of reference, another helper, or
   *     with the log of the kernel's verifier; EPERM without CAP_NET_ADMIN and CAP_BPF
   */
  FrameJudge load(byte[] program);
}
