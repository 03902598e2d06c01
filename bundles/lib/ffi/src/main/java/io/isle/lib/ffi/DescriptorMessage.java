package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A message of a connected unix socket with descriptors, to be sent and received again and again.
 * No call waits; every call returns bytes, or a negated errno of Linux. Received descriptors are
 * closed in child processes, and belong to the caller. Allocates nothing after construction. One
 * thread at a time.
 */
public final class DescriptorMessage {
  /** Most descriptors of a message that Linux passes. */
  public static final int MOST = 253;

  private static final int SOL_SOCKET = 1;
  private static final int SCM_RIGHTS = 1;
  private static final int MSG_CTRUNC = 0x8;
  private static final int MSG_TRUNC = 0x20;
  private static final int MSG_DONTWAIT = 0x40;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int MSG_CMSG_CLOEXEC = 0x40000000;

  // msghdr {name, u32 name length, vector, count, control, control length, int flags}, iovec
  private static final long VECTOR = 56;
  private static final long CONTROL = 72;
  private static final int CONTROL_LENGTH = 40;
  private static final int FLAGS = 48;

  /** Structure cmsghdr {u64 length, int level, int type}; the descriptors follow. */
  private static final int HEADER = 16;

  private final MemorySegment state = SocketLib.state();
  private final MemorySegment memory;
  private final MemorySegment control;
  private final MemorySegment data;
  private final int most;
  private int count;

  /**
   * @param bytes of the largest message, 1 to 65536; a message has at least one byte
   * @param most descriptors of a message, 1 to {@link #MOST}
   */
  public DescriptorMessage(int bytes, int most) {
    if (bytes < 1 || bytes > 65536 || most < 1 || most > MOST) {
      throw new IllegalArgumentException(
          bytes + " bytes and " + most + " descriptors are not in 1..65536 and 1.." + MOST);
    }
    this.most = most;
    long controlBytes = (HEADER + 4L * most + 7) / 8 * 8;
    memory = SocketLib.memory(CONTROL + controlBytes + bytes);
    control = memory.asSlice(CONTROL, controlBytes);
    data = memory.asSlice(CONTROL + controlBytes, bytes);
    memory.set(JAVA_LONG, VECTOR, data.address());
    memory.set(JAVA_LONG, 16, memory.address() + VECTOR);
    memory.set(JAVA_LONG, 24, 1);
    memory.set(JAVA_LONG, 32, control.address());
  }

  /** The bytes: those of the last received message, and those to send. */
  public MemorySegment data() {
    return data;
  }

  /** Descriptors of the last received message. */
  public int count() {
    return count;
  }

  /** A descriptor of the last received message. */
  public int descriptor(int index) {
    return control.get(JAVA_INT, HEADER + 4L * Objects.checkIndex(index, count));
  }

  /**
   * Sends the first bytes of {@link #data}, with copies of descriptors.
   *
   * @param bytes 1 or more
   * @param passed at most as many as the constructor was told
   * @return {@code bytes}; -EAGAIN while the peer has not read enough; -EPIPE, -ECONNRESET, -EBADF
   *     and others
   */
  public int send(int fd, int bytes, int... passed) {
    if (bytes < 1 || bytes > data.byteSize() || passed.length > most) {
      throw new IllegalArgumentException(
          bytes + " bytes with " + passed.length + " descriptors do not fit");
    }
    count = 0;
    control.set(JAVA_LONG, 0, HEADER + 4L * passed.length);
    control.set(JAVA_INT, 8, SOL_SOCKET);
    control.set(JAVA_INT, 12, SCM_RIGHTS);
    for (int i = 0; i < passed.length; i++) {
      control.set(JAVA_INT, HEADER + 4L * i, passed[i]);
    }
    memory.set(JAVA_LONG, VECTOR + 8, bytes);
    memory.set(JAVA_LONG, CONTROL_LENGTH, passed.length == 0 ? 0 : HEADER + 4L * passed.length);
    memory.set(JAVA_INT, FLAGS, 0);
    try {
      long result;
      do {
        result =
            (long)
                SocketLib.SENDMSG_CHECKED.invokeExact(
                    state, fd, memory.address(), MSG_NOSIGNAL | MSG_DONTWAIT, memory, data);
      } while (result < 0 && LibC.errno(state) == Errno.EINTR);
      return result < 0 ? -LibC.errno(state) : (int) result;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Takes the next message into {@link #data}. The descriptors of an earlier message are forgotten,
   * not closed.
   *
   * @return bytes of the message; 0 when the peer has disconnected; -EAGAIN without a message;
   *     -EMSGSIZE for a message with more bytes or descriptors than fit, of which all descriptors
   *     are closed; -ECONNRESET and others
   */
  public int receive(int fd) {
    count = 0;
    memory.set(JAVA_LONG, VECTOR + 8, data.byteSize());
    // not rounded up to 8 bytes: the kernel closes what does not fit, and says so
    memory.set(JAVA_LONG, CONTROL_LENGTH, HEADER + 4L * most);
    memory.set(JAVA_INT, FLAGS, 0);
    try {
      long result;
      do {
        result =
            (long)
                SocketLib.RECVMSG_CHECKED.invokeExact(
                    state, fd, memory.address(), MSG_DONTWAIT | MSG_CMSG_CLOEXEC, memory, data);
      } while (result < 0 && LibC.errno(state) == Errno.EINTR);
      if (result < 0) {
        return -LibC.errno(state);
      }
      count = received();
      if ((memory.get(JAVA_INT, FLAGS) & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
        closeReceived();
        return -Errno.EMSGSIZE;
      }
      return (int) result;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /** Closes the descriptors of the last received message. */
  public void closeReceived() {
    for (int i = 0; i < count; i++) {
      Descriptors.close(descriptor(i));
    }
    count = 0;
  }

  /** The descriptors of the last received message have another owner. */
  public void forgetReceived() {
    count = 0;
  }

  /** Linux joins all descriptors of a message in one control message. */
  private int received() {
    long used = memory.get(JAVA_LONG, CONTROL_LENGTH);
    if (used < HEADER
        || control.get(JAVA_INT, 8) != SOL_SOCKET
        || control.get(JAVA_INT, 12) != SCM_RIGHTS) {
      return 0;
    }
    long length = Math.min(used, control.get(JAVA_LONG, 0));
    return (int) Math.min(most, (length - HEADER) / 4);
  }
}
