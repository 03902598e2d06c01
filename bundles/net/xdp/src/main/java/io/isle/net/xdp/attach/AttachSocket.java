package io.isle.net.xdp.attach;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.Sockets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * A listening socket that is a file. The file has its rights before the first connection is
 * possible. One thread at a time.
 */
final class AttachSocket implements AutoCloseable {
  private static final int BACKLOG = 16;
  private static final int TYPE = 0170000;
  private static final int SOCKET = 0140000;
  private static final PosixFilePermission[] RIGHTS = {
    PosixFilePermission.OTHERS_EXECUTE,
    PosixFilePermission.OTHERS_WRITE,
    PosixFilePermission.OTHERS_READ,
    PosixFilePermission.GROUP_EXECUTE,
    PosixFilePermission.GROUP_WRITE,
    PosixFilePermission.GROUP_READ,
    PosixFilePermission.OWNER_EXECUTE,
    PosixFilePermission.OWNER_WRITE,
    PosixFilePermission.OWNER_READ,
  };

  private final Sockets sockets = new Sockets();
  private final Path path;
  private final int descriptor;
  private final Object inode;
  private boolean closed;

  private AttachSocket(Path path, int descriptor, Object inode) {
    this.path = path;
    this.descriptor = descriptor;
    this.inode = inode;
  }

  /**
   * Listens at a path. The file of a process that has ended is replaced.
   *
   * @param path at most 107 bytes
   * @param mode such as 0660
   * @throws NetException EINVAL for the path, EBUSY if another process listens there, EEXIST for a
   *     file that is no socket, EACCES and others
   */
  static AttachSocket listen(Path path, int mode) {
    SockAddr address = new SockAddr();
    try {
      address.unixFile(path.toString());
    } catch (IllegalArgumentException e) {
      throw new NetException(Errno.EINVAL, "socket: " + path + ": " + e.getMessage(), e);
    }
    Sockets sockets = new Sockets();
    removeStale(path, address, sockets);
    int fd = checked(path, sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_SEQPACKET));
    boolean done = false;
    try {
      checked(path, sockets.bind(fd, address));
      Object inode = Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS);
      Files.setPosixFilePermissions(path, rights(mode));
      checked(path, sockets.listen(fd, BACKLOG));
      done = true;
      return new AttachSocket(path, fd, inode);
    } catch (IOException e) {
      throw new NetException(Errno.EIO, "socket: " + path + ": " + e, e);
    } finally {
      if (!done) {
        sockets.close(fd);
      }
    }
  }

  private static Set<PosixFilePermission> rights(int mode) {
    Set<PosixFilePermission> rights = EnumSet.noneOf(PosixFilePermission.class);
    for (int bit = 0; bit < RIGHTS.length; bit++) {
      if ((mode >>> bit & 1) != 0) {
        rights.add(RIGHTS[bit]);
      }
    }
    return rights;
  }

  private static void removeStale(Path path, SockAddr address, Sockets sockets) {
    try {
      int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      if ((mode & TYPE) != SOCKET) {
        throw new NetException(
            Errno.EEXIST, "socket: " + path + " exists and is no socket; choose another path");
      }
      int probe = checked(path, sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_SEQPACKET));
      int code = sockets.connect(probe, address);
      sockets.close(probe);
      if (code != -SocketErrors.ECONNREFUSED) {
        throw new NetException(
            Errno.EBUSY,
            "socket: another process listens at " + path + "; end it, or choose another path");
      }
      Files.deleteIfExists(path);
    } catch (NoSuchFileException e) {
      // the usual case
      return;
    } catch (IOException e) {
      throw new NetException(Errno.EIO, "socket: " + path + ": " + e, e);
    }
  }

  private static int checked(Path path, int code) {
    if (code < 0) {
      throw new NetException(-code, "socket: " + path + ": " + SocketErrors.text(code));
    }
    return code;
  }

  /** The descriptor to wait on. */
  int descriptor() {
    return descriptor;
  }

  /** Ends the listening, and removes the file unless it is another's by now. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (inode.equals(Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS))) {
        Files.deleteIfExists(path);
      }
    } catch (NoSuchFileException e) {
      // somebody else has removed it
      return;
    } catch (IOException e) {
      throw new NetException(Errno.EIO, "socket: " + path + " cannot be removed: " + e, e);
    } finally {
      sockets.close(descriptor);
    }
  }
}
