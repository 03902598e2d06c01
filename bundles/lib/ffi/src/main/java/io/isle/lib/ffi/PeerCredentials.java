package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The process at the other end of a connected unix socket, as it was at the time of the connection.
 *
 * @param pid id of the process; 0 outside of our process namespace
 * @param uid its effective user
 * @param gid its effective group
 */
public record PeerCredentials(int pid, int uid, int gid) {
  private static final int SOL_SOCKET = 1;
  private static final int SO_PEERCRED = 17;

  /** The effective user of this process, to compare with the user of a peer. */
  public static int ownUid() {
    try (Arena arena = Arena.ofConfined()) {
      return (int) LibC.GETEUID.invokeExact(LibC.callState(arena));
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Reads the credentials of a socket's peer.
   *
   * @throws PosixException ENOTSOCK and others
   */
  public static PeerCredentials of(int fd) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      MemorySegment credentials = arena.allocate(12, 4);
      MemorySegment length = arena.allocateFrom(JAVA_INT, 12);
      int result =
          (int)
              LibC.GETSOCKOPT.invokeExact(state, fd, SOL_SOCKET, SO_PEERCRED, credentials, length);
      if (result != 0) {
        throw LibC.failure("getsockopt SO_PEERCRED", state);
      }
      return new PeerCredentials(
          credentials.get(JAVA_INT, 0), credentials.get(JAVA_INT, 4), credentials.get(JAVA_INT, 8));
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }
}
