package io.isle.lib.ffi;

import io.isle.api.base.Errno;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A network namespace, held by a descriptor: interfaces, addresses and routes of their own. An
 * unnamed namespace ends with its last descriptor and socket. Sockets stay in the namespace in
 * which they were opened. Thread-safe, but for {@link #close}.
 */
public final class NetNamespace implements AutoCloseable {
  private static final int CLONE_NEWNET = 0x40000000;
  private static final int O_RDONLY_CLOEXEC = 0x80000;
  private static final long NS_GET_NSTYPE = 0xb703;
  private static final Path NAMED = Path.of("/run/netns");
  private static final String CURRENT = "/proc/thread-self/ns/net";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

  private final int descriptor;
  private boolean closed;

  private NetNamespace(int descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Opens a namespace that {@code ip netns add} has made.
   *
   * @param name as in /run/netns
   * @throws PosixException ENOENT without one; EINVAL for something else of this name
   */
  public static NetNamespace named(String name) {
    if (!NAME.matcher(name).matches() || name.startsWith(".")) {
      throw new PosixException(
          "'" + name + "' is no name of a network namespace", Errno.EINVAL, LibC.text(22));
    }
    return ofPath(NAMED.resolve(name));
  }

  /**
   * Opens a namespace by a file such as /proc/PID/ns/net.
   *
   * @throws PosixException ENOENT; EINVAL for a file that is no network namespace
   */
  public static NetNamespace ofPath(Path path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      MemorySegment text = arena.allocateFrom(path.toString());
      int fd = (int) LibC.OPEN.invokeExact(state, text, O_RDONLY_CLOEXEC);
      if (fd < 0) {
        throw LibC.failure("open " + path, state);
      }
      NetNamespace namespace = new NetNamespace(fd);
      int type =
          (int) SocketLib.IOCTL_CHECKED.invokeExact(state, fd, NS_GET_NSTYPE, MemorySegment.NULL);
      if (type != CLONE_NEWNET) {
        namespace.close();
        throw new PosixException(
            path + " is no network namespace", Errno.EINVAL, LibC.text(Errno.EINVAL));
      }
      return namespace;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /** The namespace of the calling thread. */
  public static NetNamespace current() {
    return ofPath(Path.of(CURRENT));
  }

  /**
   * Makes an unnamed namespace with a loopback interface, which is down.
   *
   * @throws PosixException EPERM without CAP_SYS_ADMIN
   */
  public static NetNamespace create() {
    return onThread(
        () -> {
          leave();
          return current();
        });
  }

  /** The descriptor, valid until {@link #close}. */
  public int descriptor() {
    return descriptor;
  }

  /** The number that names the namespace in this machine, as long as the namespace lives. */
  public long inode() {
    try {
      return (long) Files.getAttribute(Path.of("/proc/self/fd/" + descriptor), "unix:ino");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Runs short work inside the namespace, on a thread of its own, and waits for the end. Of the
   * file systems, /proc/sys/net and /proc/thread-self/net show the namespace; /sys/class/net and
   * /proc/net do not.
   *
   * @return what the work returns; exceptions of the work are thrown as they are
   * @throws PosixException EPERM without CAP_SYS_ADMIN
   */
  public <T> T call(Supplier<T> work) {
    return onThread(
        () -> {
          enter();
          return work.get();
        });
  }

  /** A namespace belongs to a thread: no other thread, and no later work, may be inside. */
  private static <T> T onThread(Supplier<T> work) {
    AtomicReference<T> result = new AtomicReference<>();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .name("isle-netns")
            .daemon()
            .inheritInheritableThreadLocals(false)
            .start(
                () -> {
                  try {
                    result.set(work.get());
                  } catch (RuntimeException | Error e) {
                    failure.set(e);
                  }
                });
    join(thread);
    if (failure.get() != null) {
      throw SocketLib.failed(failure.get());
    }
    return result.get();
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void leave() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      if ((int) LibC.UNSHARE.invokeExact(state, CLONE_NEWNET) != 0) {
        throw LibC.failure("unshare of the network namespace", state);
      }
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  private void enter() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      if ((int) LibC.SETNS.invokeExact(state, descriptor, CLONE_NEWNET) != 0) {
        throw LibC.failure("setns to the network namespace", state);
      }
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /** Gives the descriptor back; idempotent. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      Descriptors.close(descriptor);
    }
  }
}
