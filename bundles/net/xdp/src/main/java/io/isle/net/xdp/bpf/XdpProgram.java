package io.isle.net.xdp.bpf;

import io.isle.api.net.FrameVerdict;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.Bpf;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A program in the kernel. One thread at a time. */
public final class XdpProgram implements AutoCloseable {
  private static final String NAME = "isle_redirect";
  private static final int LOG_BYTES = 1 << 20;

  /** The verifier tells the reason last. */
  private static final int MOST_SHOWN = 4000;

  private final Bpf.TestRun run = new Bpf.TestRun();
  private final int descriptor;
  private boolean closed;

  private XdpProgram(int descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Loads a program.
   *
   * @param instructions of 8 bytes, little-endian
   * @throws NetException EPERM; EINVAL, EACCES and others with the end of the verifier's log
   */
  public static XdpProgram load(long[] instructions) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment code = arena.allocateFrom(ValueLayout.JAVA_LONG, instructions);
      int result = Bpf.loadXdp(code, NAME, MemorySegment.NULL);
      return result >= 0 ? new XdpProgram(result) : again(code, result);
    }
  }

  /** Asks for the reason of a refusal, which costs the verifier time. */
  private static XdpProgram again(MemorySegment code, int first) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment log = arena.allocate(LOG_BYTES);
      int result = Bpf.loadXdp(code, NAME, log);
      if (result >= 0) {
        return new XdpProgram(result);
      }
      NetException failure = Kernel.failure(first, "load of the program");
      String text = end(log);
      throw text.isEmpty()
          ? failure
          : new NetException(
              failure.code(), failure.getMessage() + "; the kernel's verifier says:\n" + text);
    }
  }

  private static String end(MemorySegment log) {
    log.set(ValueLayout.JAVA_BYTE, log.byteSize() - 1, (byte) 0);
    String text = log.getString(0).strip().replaceAll("[^\\x20-\\x7E\\n]", "?");
    return text.length() <= MOST_SHOWN
        ? text
        : "...\n" + text.substring(text.indexOf('\n', text.length() - MOST_SHOWN) + 1);
  }

  /** Descriptor of the program, valid until {@link #close}. */
  public int descriptor() {
    return descriptor;
  }

  /**
   * The verdict about a frame on queue 0; nothing is sent.
   *
   * @param frame native memory of 14 bytes or more
   * @param repeat runs whose mean time is taken, 1 or more
   * @throws NetException EINVAL, ENOMEM
   */
  public FrameVerdict judge(MemorySegment frame, int repeat) {
    int ignored =
        Kernel.checked(
            Bpf.testRun(descriptor, frame, repeat, run),
            "run of the program on a frame of " + frame.byteSize() + " bytes");
    return new FrameVerdict(run.verdict(), run.nanos());
  }

  /** Links keep the program. Idempotent. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      Kernel.close(descriptor);
    }
  }
}
