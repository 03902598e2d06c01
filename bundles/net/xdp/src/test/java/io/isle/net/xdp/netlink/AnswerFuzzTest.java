package io.isle.net.xdp.netlink;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.MethodSource;

/** Any answer to a request is well, or has a code of the kernel and a line of words. */
class AnswerFuzzTest {
  private static final String WORDS = "the name is\u001b[2J in use";

  static Stream<byte[]> seeds() {
    byte[] words = error(-17, Rtm.ACK_TLVS);
    return Stream.of(
        error(0, 0),
        error(-1, 0),
        error(5, 0),
        error(Integer.MIN_VALUE, 0),
        words,
        Arrays.copyOf(words, 30),
        bytes(new MessageWriter(Rtm.DONE, 0)),
        bytes(new MessageWriter(Rtm.DONE, 0).u32(3)),
        bytes(new MessageWriter(Rtm.DONE, Rtm.ACK_TLVS).u32(-22).text(1, WORDS)));
  }

  private static byte[] error(int code, int flags) {
    MessageWriter message = new MessageWriter(Rtm.ERROR, flags).u32(code);
    return bytes(message.u32(36).u32(0).u32(1).u32(0).text(1, WORDS));
  }

  private static byte[] bytes(MessageWriter message) {
    return message.finish(1).toArray(JAVA_BYTE);
  }

  private static NetException refused(byte[] bytes) {
    Message message = Message.read(MemorySegment.ofArray(bytes)).getFirst();
    return assertThrows(NetException.class, () -> Answer.check(message, "new link va"));
  }

  @Test
  void theReasonHasTheWordsOfTheKernel() {
    NetException exists = refused(error(-Errno.EEXIST, Rtm.ACK_TLVS));
    assertEquals(Errno.EEXIST, exists.code());
    assertEquals("new link va: File exists (the name is in use)", exists.getMessage());
    assertEquals("new link va: File exists", refused(error(-Errno.EEXIST, 0)).getMessage());
    assertEquals(Errno.EPROTO, refused(error(5, 0)).code());
    assertEquals(Errno.EPROTO, refused(error(Integer.MIN_VALUE, 0)).code());
  }

  @MethodSource("seeds")
  @FuzzTest
  void anAnswerIsWellOrHasAReason(byte[] bytes) {
    try {
      for (Message message : Message.read(MemorySegment.ofArray(bytes.clone()))) {
        if (message.type() == Rtm.ERROR || message.type() == Rtm.DONE) {
          Answer.check(message, "asked");
          assertTrue(code(message) >= 0);
        }
      }
    } catch (NetException e) {
      assertTrue(e.code() > 0 && e.code() < 4096, e.getMessage());
      assertTrue(e.code() == Errno.EPROTO || e.getMessage().startsWith("asked: "), e.getMessage());
      assertTrue(e.getMessage().matches("[^\\p{Cntrl}]+"), e.getMessage());
    }
  }

  /** Of an answer that is well: 0, or what the end of a list counts. */
  private static int code(Message message) {
    ByteBuffer payload = message.payload().asByteBuffer().order(ByteOrder.nativeOrder());
    return payload.remaining() < Integer.BYTES ? 0 : payload.getInt();
  }
}
