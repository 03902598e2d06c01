package io.isle.net.xdp.attach;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.DescriptorMessage;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.Sockets;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Clients in Java, which may be hostile. */
final class AttachClients implements AutoCloseable {
  private final Sockets sockets = new Sockets();
  private final List<Integer> open = new ArrayList<>();
  private final DescriptorMessage out = new DescriptorMessage(4096, 2);
  private final DescriptorMessage in =
      new DescriptorMessage(AttachMessages.MOST_REPLY, AttachMessages.MOST_DESCRIPTORS);
  private final SockAddr address = new SockAddr();

  AttachClients(Path path) {
    address.unixFile(path.toString());
  }

  int connect() {
    int socket = sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_SEQPACKET);
    int code = sockets.connect(socket, address);
    if (code != 0) {
      sockets.close(socket);
      throw new IllegalStateException("connect: " + code);
    }
    open.add(socket);
    return socket;
  }

  static byte[] request(String app) {
    byte[] bytes = new byte[AttachLayout.Request.SIZE];
    MemorySegment all = MemorySegment.ofArray(bytes);
    all.set(ValueLayout.JAVA_INT_UNALIGNED, 0, AttachLayout.MAGIC_VALUE);
    all.set(ValueLayout.JAVA_SHORT_UNALIGNED, 4, (short) AttachLayout.VERSION_VALUE);
    all.set(ValueLayout.JAVA_SHORT_UNALIGNED, 6, (short) bytes.length);
    for (int i = 0; i < app.length(); i++) {
      bytes[8 + i] = (byte) app.charAt(i);
    }
    return bytes;
  }

  int ask(String app) {
    int socket = connect();
    send(socket, request(app));
    return socket;
  }

  void send(int socket, byte[] message, int... descriptors) {
    MemorySegment.copy(message, 0, out.data(), ValueLayout.JAVA_BYTE, 0, message.length);
    int sent = out.send(socket, message.length, descriptors);
    if (sent != message.length) {
      throw new IllegalStateException("send: " + sent);
    }
  }

  /** An answer: its code and reason, and the number of its descriptors. */
  record Answer(int code, String reason, int tiles, int descriptors) {}

  /** The answer that is there. A reset is seen once before an answer that a close has followed. */
  Answer answer(int socket) {
    int bytes = in.receive(socket);
    if (bytes < 0 && bytes != -Errno.EAGAIN) {
      bytes = in.receive(socket);
    }
    if (bytes <= 0) {
      return new Answer(bytes == 0 ? -Errno.ECLOSED : bytes, "no answer", 0, 0);
    }
    int count = in.count();
    in.closeReceived();
    MemorySegment data = in.data();
    return new Answer(
        data.get(ValueLayout.JAVA_INT_UNALIGNED, AttachLayout.Reply.STATUS),
        data.getString(AttachLayout.Reply.REASON),
        data.get(ValueLayout.JAVA_INT_UNALIGNED, AttachLayout.Reply.TILES),
        count);
  }

  /** Whether the other side has closed. */
  boolean isEnded(int socket) {
    int code = in.receive(socket);
    in.closeReceived();
    return code != -Errno.EAGAIN;
  }

  void leave(int socket) {
    open.remove((Integer) socket);
    sockets.close(socket);
  }

  @Override
  public void close() {
    open.forEach(sockets::close);
    open.clear();
  }
}
