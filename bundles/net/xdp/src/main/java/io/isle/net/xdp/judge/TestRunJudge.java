package io.isle.net.xdp.judge;

import io.isle.api.base.Errno;
import io.isle.api.net.FrameJudge;
import io.isle.api.net.FrameVerdict;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.Sockets;
import io.isle.net.xdp.bpf.ProgramFile;
import io.isle.net.xdp.bpf.XdpProgram;
import io.isle.net.xdp.bpf.XskMap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A program with a map of its own and a socket on queue 0. The socket is bound to no interface: the
 * kernel only looks whether the map has one.
 */
public final class TestRunJudge implements FrameJudge {
  private static final int AF_XDP = 44;
  private static final int SOCK_RAW = 3;
  private static final int QUEUES = 1;

  private final Sockets sockets = new Sockets();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment copy = arena.allocate(MAX_FRAME_BYTES);
  private final XskMap map;
  private final int socket;
  private final XdpProgram program;
  private boolean closed;

  private TestRunJudge(long[] instructions) {
    map = new XskMap(QUEUES);
    try {
      socket = sockets.socket(AF_XDP, SOCK_RAW);
      if (socket < 0) {
        throw new NetException(-socket, new PosixException("socket AF_XDP", socket).getMessage());
      }
      try {
        map.put(0, socket);
        program = XdpProgram.load(ProgramFile.withMap(instructions, map.descriptor()));
      } catch (NetException e) {
        int ignored = sockets.close(socket);
        throw e;
      }
    } catch (NetException e) {
      map.close();
      arena.close();
      throw e;
    }
  }

  /**
   * Loads a program, whose maps are replaced.
   *
   * @param instructions from a hostile file, too
   * @throws NetException EPERM, EINVAL and others
   */
  public static TestRunJudge load(long[] instructions) {
    long[] ignored = ProgramFile.withMap(instructions, 0);
    return new TestRunJudge(instructions);
  }

  @Override
  public synchronized FrameVerdict judge(MemorySegment frame, int repeat) {
    if (closed) {
      throw new NetException(Errno.ECLOSED, "the program is closed");
    }
    long bytes = frame.byteSize();
    if (bytes < MIN_FRAME_BYTES || bytes > MAX_FRAME_BYTES) {
      throw new NetException(
          Errno.EINVAL,
          "a frame of %d bytes is not in %d..%d"
              .formatted(bytes, MIN_FRAME_BYTES, MAX_FRAME_BYTES));
    }
    if (repeat < 1 || repeat > MAX_REPEAT) {
      throw new NetException(Errno.EINVAL, "repeat " + repeat + " is not in 1.." + MAX_REPEAT);
    }
    MemorySegment.copy(frame, 0, copy, 0, bytes);
    return program.judge(copy.asSlice(0, bytes), repeat);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      program.close();
      map.close();
      int ignored = sockets.close(socket);
      arena.close();
    }
  }
}
