package io.isle.net.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.core.testing.FakeStep;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EchoDriveTest {
  private static final int WINDOW = 8;

  /** Sends back, but for what a test takes away, changes, doubles or turns round. */
  private static final class FakePath implements EchoPath, LongSupplier {
    private final Deque<byte[]> back = new ArrayDeque<>();
    private int sent;
    private int most;
    private int refused;
    private int loseEach = Integer.MAX_VALUE;
    private int changeEach = Integer.MAX_VALUE;
    private boolean twice;
    private boolean lastFirst;
    private boolean silent;
    private long nowNs;

    @Override
    public long getAsLong() {
      return nowNs += 1000;
    }

    @Override
    public boolean send(MemorySegment from, long offset, int length) {
      if (refused++ % 3 == 0) {
        return false;
      }
      sent++;
      byte[] datagram = from.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
      if (silent || sent % loseEach == 0) {
        return true;
      }
      if (sent % changeEach == 0) {
        datagram[length - 1] ^= 1;
      }
      for (int i = 0; i < (twice ? 2 : 1); i++) {
        if (lastFirst) {
          back.addFirst(datagram);
        } else {
          back.addLast(datagram);
        }
      }
      most = Math.max(most, back.size());
      return true;
    }

    @Override
    public int receive(MemorySegment into) {
      byte[] datagram = back.pollFirst();
      if (datagram == null) {
        return -1;
      }
      MemorySegment.copy(datagram, 0, into, ValueLayout.JAVA_BYTE, 0, datagram.length);
      return datagram.length;
    }

    @Override
    public void await(long millis) {
      nowNs += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Override
    public void close() {}
  }

  private final FakePath path = new FakePath();
  private final byte[] file = new byte[100 * 16 + 5];
  private final FakeStep step =
      new FakeStep(
          new EchoAction(null, null),
          file,
          Map.of("net", "n", "window", Integer.toString(WINDOW), "timeout_ms", "20"));

  EchoDriveTest() {
    new Random(7).nextBytes(file);
  }

  private EchoMeasures run() throws IOException, InterruptedException {
    EchoInput input = new EchoInput(new ByteArrayInputStream(file), 16, () -> false);
    EchoDrive drive =
        new EchoDrive(
            step, path, input, Optional.of(step.out), new GapClock(List.of()), null, path);
    drive.run();
    return drive.measures(List.of(), new Losses(Map.of()), Optional.empty());
  }

  private void expectFile(EchoMeasures measures) {
    assertArrayEquals(file, step.out.toByteArray());
    assertEquals(101, measures.frames());
    assertEquals(file.length, measures.bytes());
    assertEquals(file.length, step.doneBytes);
    assertEquals(0, measures.wrong());
  }

  @Test
  void aFileComesBackWithinTheWindow() throws Exception {
    EchoMeasures measures = run();
    expectFile(measures);
    assertEquals(0, measures.resent());
    assertTrue(path.most <= WINDOW, () -> "on their way: " + path.most);
  }

  @Test
  void lostDatagramsAreSentAgain() throws Exception {
    path.loseEach = 10;
    EchoMeasures measures = run();
    expectFile(measures);
    assertTrue(measures.lost() >= 10, measures::toString);
    assertTrue(measures.resent() >= measures.lost(), measures::toString);
    assertEquals("datagram 9 has no reply; it is sent again", step.lines.getFirst());
    assertEquals("further lost datagrams are only counted", step.lines.get(5));
    assertEquals(6, step.lines.size());
  }

  @Test
  void repliesInAnotherOrderAndTwiceAreTakenOnce() throws Exception {
    path.lastFirst = true;
    path.twice = true;
    EchoMeasures measures = run();
    expectFile(measures);
    assertEquals(0, measures.resent());
  }

  /** The first pieces follow again at a rate, which a lower one shows by its time. */
  @Test
  void piecesFollowAgainAtARate() throws Exception {
    FakeStep slow =
        new FakeStep(
            new EchoAction(null, null),
            file,
            Map.of("net", "n", "window", "8", "repeat_rate", "1000"));
    int[] left = {50};
    EchoInput input = new EchoInput(new ByteArrayInputStream(file), 16, () -> left[0]-- > 0);
    EchoDrive drive =
        new EchoDrive(slow, path, input, Optional.empty(), new GapClock(List.of()), null, path);
    drive.run();
    EchoMeasures measures = drive.measures(List.of(), new Losses(Map.of()), Optional.empty());
    assertEquals(151, measures.frames());
    long spread = measures.elapsedNs() / 1_000_000;
    assertTrue(spread >= 49 && spread <= 60, measures::toString);
  }

  @Test
  void changedRepliesAreWrong() throws Exception {
    path.changeEach = 25;
    EchoMeasures measures = run();
    assertEquals(4, measures.wrong());
    assertEquals(file.length, step.out.size());
  }

  @Test
  void silenceIsAnError() {
    path.silent = true;
    JobException failed = assertThrows(JobException.class, this::run);
    assertEquals(Errno.ETIMEDOUT, failed.code());
    assertTrue(failed.getMessage().contains("'net:explain n'"), failed.getMessage());
  }

  @Test
  void anInterruptEndsTheRun() {
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, this::run);
  }
}
