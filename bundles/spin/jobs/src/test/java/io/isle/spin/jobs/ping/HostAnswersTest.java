package io.isle.spin.jobs.ping;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ExecutionContext;
import io.isle.api.spin.HandlerSource;
import io.isle.lib.packet.InternetChecksum;
import io.isle.spin.jobs.ping.place.PingProtocol;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class HostAnswersTest {
  private static final int HPU = 3;
  private static final int ICMP = 34;

  private final FakeContext context =
      new FakeContext(ContextSpec.of("ping", new HandlerSource.Installed("ping")));
  private HostAnswers answers;

  @AfterEach
  void close() {
    answers.close();
  }

  private List<Integer> answer(PingProtocol protocol, byte[] frame) throws InterruptedException {
    answers = new HostAnswers(context, protocol, "test");
    answers.begin();
    context.request(HPU, frame);
    return context.responses.poll(60, TimeUnit.SECONDS);
  }

  private byte[] page(int length) {
    int at = HPU * ExecutionContext.PAGE + ExecutionContext.PAYLOAD;
    return Arrays.copyOfRange(context.pages, at, at + length);
  }

  /** A request whose packet has so many bytes, with the rest of the frame behind it. */
  private static byte[] request(int packet, int frame) {
    byte[] bytes = new byte[frame];
    for (int i = 0; i < frame; i++) {
      bytes[i] = (byte) (i * 7);
    }
    if (frame > ICMP) {
      bytes[16] = (byte) (packet >> 8);
      bytes[17] = (byte) packet;
      bytes[ICMP] = 8;
    }
    return bytes;
  }

  @Test
  void aRequestBecomesAnAnswerOfItsLength() throws InterruptedException {
    byte[] request = request(61, 80);
    assertEquals(List.of(HPU, 14 + 61), answer(PingProtocol.ICMP, request));
    byte[] answer = page(80);
    assertEquals(0, answer[ICMP], "an answer");
    assertEquals(0, InternetChecksum.of(MemorySegment.ofArray(answer), ICMP, 61 - 20));
    request[ICMP] = 0;
    request[ICMP + 2] = answer[ICMP + 2];
    request[ICMP + 3] = answer[ICMP + 3];
    assertArrayEquals(request, answer, "nothing else is changed");
  }

  @ParameterizedTest
  @CsvSource({"61, 74", "27, 80", "0, 80", "65535, 80", "61, 33", "61, 0"})
  void whatIsNoRequestStaysAsItIs(int packet, int frame) throws InterruptedException {
    byte[] bytes = request(packet, frame);
    assertEquals(List.of(HPU, frame), answer(PingProtocol.ICMP, bytes));
    assertArrayEquals(bytes, page(frame));
  }

  @Test
  void ofUdpNothingIsChanged() throws InterruptedException {
    byte[] bytes = request(61, 80);
    assertEquals(List.of(HPU, 80), answer(PingProtocol.UDP, bytes));
    assertArrayEquals(bytes, page(80));
  }

  @Test
  void aRecoveryCostsItsRequestAlone() throws InterruptedException {
    context.recovers = true;
    answers = new HostAnswers(context, PingProtocol.ICMP, "test");
    answers.begin();
    context.request(HPU, request(61, 80));
    // requests are answered in their order: this one is of one byte and not read
    context.executor.execute(() -> context.recovers = false);
    context.request(1, new byte[1]);
    assertEquals(List.of(1, 1), context.responses.poll(60, TimeUnit.SECONDS));
    assertNull(context.responses.poll());
  }
}
