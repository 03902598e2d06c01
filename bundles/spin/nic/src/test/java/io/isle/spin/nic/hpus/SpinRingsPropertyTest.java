package io.isle.spin.nic.hpus;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.lib.kabi.SpinStructs;
import io.isle.spin.nic.core.HandlerKind;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class SpinRingsPropertyTest {
  private static final long[] WORDS = {
    RingLayout.POSTED,
    RingLayout.ENDED,
    RingLayout.RESULT,
    RingLayout.CAUSE,
    RingLayout.WAITING,
    RingLayout.SLEEPING,
    RingLayout.INSTRUCTION,
    RingLayout.SENT,
    RingLayout.TAKEN
  };

  /** Whatever a process writes at any time. */
  @Property(tries = 300)
  void whatIsPassedOnIsInRange(@ForAll long seed) {
    Random random = new Random(seed);
    JavaHpus hpus = JavaHpus.of(SpinStructs.HPUS);
    SpinRings nic = hpus.nic();
    RangeChecks checks = new RangeChecks(() -> random.nextInt(4) > 0);
    byte[] text = new byte[SpinStructs.TEXT];
    for (int i = 0; i < 200; i++) {
      int hpu = random.nextInt(SpinStructs.HPUS);
      int ignored = nic.post(hpu, HandlerKind.PACKET, 0, 0, 0, 60);
      int value = random.nextBoolean() ? random.nextInt() : random.nextInt(20) - 2;
      long word = WORDS[random.nextInt(WORDS.length)];
      switch (random.nextInt(6)) {
        case 0, 1 -> hpus.set(hpu, word, value);
        case 2 -> hpus.send(hpu, new byte[1 + random.nextInt(SpinStructs.FRAME)]);
        case 3 -> hpus.end(hpu, random.nextInt(3), random.nextInt(11));
        case 4 -> hpus.request(hpu, value);
        default ->
            RingLayout.LONG.setVolatile(
                hpus.rings, RingLayout.TEXT_WRITTEN, random.nextLong(1L << random.nextInt(1, 63)));
      }
      checks.busy = nic.busy();
      int work = nic.poll(checks);
      assertTrue(work >= 0 || work == -Errno.EPROTO);
      int bytes = nic.text(text);
      assertTrue(bytes <= SpinStructs.TEXT && (bytes >= 0 || bytes == -Errno.EPROTO));
      ignored = nic.respond(hpu, random.nextInt(4033));
    }
  }
}
