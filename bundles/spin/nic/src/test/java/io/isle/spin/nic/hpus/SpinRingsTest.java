package io.isle.spin.nic.hpus;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.Futex;
import io.isle.lib.kabi.SpinStructs;
import io.isle.spin.nic.core.HandlerKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SpinRingsTest {
  private final JavaHpus hpus = JavaHpus.of(SpinStructs.HPUS);
  private final SpinRings nic = hpus.nic();
  private final SeenHpus seen = new SeenHpus();

  private static byte[] frame(int length, int first, int last) {
    byte[] frame = new byte[length];
    frame[0] = (byte) first;
    frame[length - 1] = (byte) last;
    return frame;
  }

  private void post(int hpu) {
    assertEquals(0, nic.post(hpu, HandlerKind.PACKET, 3, 1, 128, 60));
  }

  @Test
  void aTaskIsWhatTheHandlerGets() {
    byte[] packet = frame(60, 1, 2);
    nic.store(128, MemorySegment.ofArray(packet), 0, packet.length);
    assertEquals(0, nic.post(5, HandlerKind.TAIL, 3, 1, 128, 60));
    assertEquals(-Errno.EBUSY, nic.post(5, HandlerKind.TAIL, 3, 1, 128, 60));
    assertEquals(1 << 5, nic.busy());
    assertEquals(3, hpus.get(5, RingLayout.QUEUE));
    assertEquals(1, hpus.get(5, RingLayout.HOME_CLUSTER));
    assertEquals(0, nic.poll(seen));
    assertTrue(
        hpus.step(
            5,
            (all, hpu, handler, got) -> {
              assertEquals(SpinStructs.HANDLER_TAIL, handler);
              assertArrayEquals(packet, got);
              return 0;
            }));
    assertEquals(1, nic.poll(seen));
    assertEquals(List.of("ended 5 0 0"), seen.take());
    assertEquals(0, nic.busy());
    assertEquals(0, nic.poll(seen));
  }

  @Test
  void framesComeBeforeTheEndAndWaitForRoom() {
    post(0);
    for (int i = 0; i < SpinStructs.SENDS; i++) {
      assertTrue(hpus.send(0, frame(60 + i, i, i)));
    }
    assertFalse(hpus.send(0, frame(60, 0, 0)));
    hpus.end(0, SpinStructs.RESULT_DONE, 0);
    seen.room = 2;
    assertEquals(2, nic.poll(seen));
    assertEquals(List.of("sent 0 60 0 0", "sent 0 61 1 1"), seen.take());
    assertEquals(0, nic.poll(seen));
    assertEquals(1, nic.busy());
    assertTrue(hpus.send(0, frame(1536, 7, 8)));
    seen.room = 100;
    assertEquals(SpinStructs.SENDS, nic.poll(seen));
    List<String> all = seen.take();
    assertEquals("sent 0 62 2 2", all.get(0));
    assertEquals("sent 0 1536 7 8", all.get(14));
    assertEquals("ended 0 0 0", all.get(15));
  }

  @Test
  void requestsAreToldOnceAndAnswered() {
    post(2);
    assertEquals(-Errno.ENOENT, nic.respond(2, 8));
    int number = hpus.request(2, 100_000);
    assertEquals(2, nic.poll(seen));
    assertEquals(0, nic.poll(seen));
    assertEquals(List.of("waits 2 true", "requested 2 4032"), seen.take());
    assertEquals(1 << 2, nic.waiting());
    assertEquals(-Errno.EINVAL, nic.respond(2, 4033));
    assertEquals(-Errno.EINVAL, nic.respond(16, 0));
    assertEquals(0, nic.respond(2, 8));
    assertEquals(number | 8L << 8 | 2L << 40, hpus.answer(2));
    assertEquals(-Errno.ENOENT, nic.respond(2, 8));
    hpus.set(2, RingLayout.WAITING, 0);
    nic.poll(seen);
    hpus.request(2, 5);
    nic.poll(seen);
    assertEquals(List.of("waits 2 false", "waits 2 true", "requested 2 5"), seen.take());
    hpus.end(2, SpinStructs.RESULT_TRAPPED, SpinStructs.CAUSE_HOST_TIME);
    nic.poll(seen);
    assertEquals(List.of("ended 2 1 8"), seen.take());
    assertEquals(0, nic.waiting());
    assertEquals(-Errno.ENOENT, nic.respond(2, 8));
  }

  @Test
  void anHpuWithoutAPageAsksNobody() {
    JavaHpus few = JavaHpus.of(1);
    SpinRings rings = few.nic();
    assertEquals(0, rings.post(1, HandlerKind.PACKET, 0, 0, 0, 60));
    few.set(1, RingLayout.WAITING, 1);
    assertEquals(0, rings.poll(seen));
    assertEquals(0, rings.waiting());
    assertEquals(List.of(), seen.take());
  }

  @Test
  void aTaskWaitsAsLongAsTheHostHasItsRequest() {
    post(2);
    hpus.set(2, RingLayout.WAITING, 1);
    assertEquals(0, nic.poll(seen), "it has not asked");
    hpus.request(2, 5);
    nic.poll(seen);
    assertEquals(0, nic.respond(2, 5));
    nic.poll(seen);
    assertEquals(List.of("waits 2 true", "requested 2 5", "waits 2 false"), seen.take());
    assertEquals(0, nic.poll(seen), "it has its answer, and still says that it waits");
  }

  @Test
  void whoHasWaitedInVainIsBelievedInTheNextTask() {
    post(2);
    hpus.request(2, 5);
    nic.poll(seen);
    hpus.answered(2);
    nic.poll(seen);
    hpus.request(2, 6);
    nic.poll(seen);
    assertEquals(
        List.of("waits 2 true", "requested 2 5", "waits 2 false", "requested 2 6"), seen.take());
    assertEquals(0, nic.waiting());
    hpus.end(2, SpinStructs.RESULT_DONE, 0);
    nic.poll(seen);
    post(2);
    hpus.request(2, 7);
    nic.poll(seen);
    assertEquals(List.of("ended 2 0 0", "waits 2 true", "requested 2 7"), seen.take());
  }

  @Test
  void wordsOutOfRangeAreRefused() {
    post(0);
    hpus.set(0, RingLayout.ENDED, 7);
    assertEquals(-Errno.EPROTO, nic.poll(seen));
    hpus.set(0, RingLayout.ENDED, 0);
    hpus.set(0, RingLayout.SENT, 17);
    assertEquals(-Errno.EPROTO, nic.poll(seen));
    hpus.set(0, RingLayout.SENT, -1);
    assertEquals(-Errno.EPROTO, nic.poll(seen));
    hpus.set(0, RingLayout.SENT, 1);
    for (int length : new int[] {0, -1, 1537}) {
      hpus.rings.set(
          RingLayout.U32, RingLayout.frame(RingLayout.hpu(0), 0) + RingLayout.SENT_LENGTH, length);
      assertEquals(-Errno.EPROTO, nic.poll(seen), () -> "length " + length);
    }
    hpus.set(0, RingLayout.SENT, 0);
    hpus.end(0, 3, 0);
    assertEquals(-Errno.EPROTO, nic.poll(seen));
    hpus.end(0, SpinStructs.RESULT_TRAPPED, 0);
    assertEquals(-Errno.EPROTO, nic.poll(seen));
    hpus.end(0, SpinStructs.RESULT_TRAPPED, 11);
    assertEquals(-Errno.EPROTO, nic.poll(seen));
    assertEquals(List.of(), seen.take());
    hpus.end(0, SpinStructs.RESULT_REFUSED, 0);
    assertEquals(1, nic.poll(seen));
  }

  @Test
  void textIsPrintableAndNeverMoreThanTheRing() {
    byte[] into = new byte[SpinStructs.TEXT];
    hpus.print("one\n\u0007two");
    assertEquals(8, nic.text(into));
    assertEquals("one\n?two", new String(into, 0, 8, StandardCharsets.US_ASCII));
    assertEquals(0, nic.text(into));
    hpus.print("x".repeat(SpinStructs.TEXT - 1) + "y");
    assertEquals(SpinStructs.TEXT, nic.text(into));
    assertEquals('y', into[SpinStructs.TEXT - 1]);
    RingLayout.LONG.setVolatile(hpus.rings, RingLayout.TEXT_TAKEN, 0L);
    assertEquals(0, nic.text(into));
    RingLayout.LONG.setVolatile(hpus.rings, RingLayout.TEXT_WRITTEN, 3L * SpinStructs.TEXT);
    assertEquals(-Errno.EPROTO, nic.text(into));
    RingLayout.LONG.setVolatile(hpus.rings, RingLayout.TEXT_WRITTEN, 0L);
    assertEquals(-Errno.EPROTO, nic.text(into));
  }

  @Test
  void aSleepingHpuIsWoken() throws InterruptedException {
    AtomicInteger got = new AtomicInteger();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment word = hpus.rings.asSlice(RingLayout.hpu(9) + RingLayout.POSTED, Integer.BYTES);
      Thread hpu =
          Thread.ofPlatform()
              .start(
                  () -> {
                    Futex futex = new Futex(arena);
                    hpus.set(9, RingLayout.SLEEPING, 1);
                    while (!hpus.has(9)) {
                      futex.await(word, 0, Long.MAX_VALUE / 2);
                    }
                    hpus.set(9, RingLayout.SLEEPING, 0);
                    got.set(hpus.get(9, RingLayout.LENGTH));
                  });
      while (hpus.get(9, RingLayout.SLEEPING) == 0) {
        Thread.onSpinWait();
      }
      post(9);
      hpu.join();
    }
    assertEquals(60, got.get());
  }
}
