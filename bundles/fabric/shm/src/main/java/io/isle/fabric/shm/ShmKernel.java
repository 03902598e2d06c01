package io.isle.fabric.shm;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.DescriptorMessage;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketIo;
import io.isle.lib.ffi.Sockets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The calls of one port. One thread at a time. */
final class ShmKernel {
  final Sockets sockets = new Sockets();
  final SocketIo io = new SocketIo();
  final DescriptorMessage message = new DescriptorMessage(ShmHello.BYTES, ShmHello.DESCRIPTORS);

  /** Bytes that have no meaning: rings of bells. */
  final MemorySegment scratch = Arena.ofAuto().allocate(4096);

  final Users users;

  ShmKernel(Users users) {
    this.users = users;
  }

  /** Closes a descriptor. */
  void close(int descriptor) {
    int code = sockets.close(descriptor);
    if (code != 0) {
      throw new IllegalStateException("close " + descriptor + ": " + SocketErrors.text(code));
    }
  }

  /** Whether the process at the other end belongs to the user of this one. */
  boolean isOwnUser(int descriptor) {
    return users.of(descriptor).uid() == users.own();
  }

  /** Rings a bell; 0, also for a bell that is full, or a negated errno. */
  int ring(int bell) {
    long sent = io.send(bell, scratch, 0, 1, 0);
    return sent >= 0 || sent == -Errno.EAGAIN ? 0 : (int) sent;
  }
}
