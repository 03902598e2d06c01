package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NetlinkSocketTest {
  private static final short RTM_NEWLINK = 16;
  private static final short RTM_GETLINK = 18;
  private static final short NLM_F_REQUEST = 1;
  private static final short NLM_F_ACK = 4;
  private static final int GROUP_LINK = 1;

  private final MemorySegment answer = SocketLib.memory(NetlinkSocket.LARGEST);

  /** Header {u32 length, u16 type, u16 flags, u32 number, u32 port}, then struct ifinfomsg. */
  private static MemorySegment link(short type, short flags, int index) {
    MemorySegment message = SocketLib.memory(32);
    message.set(JAVA_INT, 0, 32);
    message.set(JAVA_SHORT, 4, type);
    message.set(JAVA_SHORT, 6, (short) (NLM_F_REQUEST | flags));
    message.set(JAVA_INT, 20, index);
    return message;
  }

  private static MemorySegment up(int index, boolean up) {
    MemorySegment message = link(RTM_NEWLINK, NLM_F_ACK, index);
    message.set(JAVA_INT, 24, up ? 1 : 0);
    message.set(JAVA_INT, 28, 1);
    return message;
  }

  private static void await(NetlinkSocket socket) {
    PollSet poll = new PollSet(1);
    poll.set(0, socket.descriptor(), PollSet.POLLIN);
    assertEquals(1, poll.await(1, 10_000_000_000L));
  }

  @Test
  void theKernelAnswers() {
    try (NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.ROUTE)) {
      assertEquals(-Errno.EAGAIN, socket.receive(answer));
      assertEquals(32, socket.send(link(RTM_GETLINK, (short) 0, 1), 0, 32));
      await(socket);
      long bytes = socket.receive(answer);
      assertTrue(bytes > 32, "bytes " + bytes);
      assertEquals(RTM_NEWLINK, answer.get(JAVA_SHORT, 4));
      assertEquals(1, answer.get(JAVA_INT, 20));
    }
  }

  @Test
  void aTooSmallBufferIsTold() {
    try (NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.ROUTE)) {
      assertEquals(32, socket.send(link(RTM_GETLINK, (short) 0, 1), 0, 32));
      await(socket);
      assertEquals(-Errno.EMSGSIZE, socket.receive(answer.asSlice(0, 64)));
      assertEquals(-Errno.EAGAIN, socket.receive(answer));
    }
  }

  /** Many changes of a link while nobody reads: the kernel drops messages and says so once. */
  @Test
  void anOverrunIsTold() {
    try (NetNamespace space = Namespaces.create();
        NetlinkSocket monitor = space.call(() -> NetlinkSocket.open(NetlinkSocket.ROUTE));
        NetlinkSocket changes = space.call(() -> NetlinkSocket.open(NetlinkSocket.ROUTE))) {
      monitor.join(GROUP_LINK);
      monitor.room(4096);
      for (int i = 0; i < 50; i++) {
        changes.send(up(1, i % 2 == 0), 0, 32);
        await(changes);
        changes.receive(answer);
      }
      assertEquals(-SocketErrors.ENOBUFS, monitor.receive(answer));
      assertTrue(monitor.receive(answer) > 0, "messages before the overrun stay");
    }
  }

  @Test
  void noSuchProtocolOrGroup() {
    assertThrows(PosixException.class, () -> NetlinkSocket.open(31));
    try (NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.ROUTE)) {
      assertThrows(PosixException.class, () -> socket.join(1000));
      assertThrows(IllegalArgumentException.class, () -> socket.receive(answer.asReadOnly()));
      assertThrows(IndexOutOfBoundsException.class, () -> socket.send(answer, 0, 1 << 20));
    }
  }
}
