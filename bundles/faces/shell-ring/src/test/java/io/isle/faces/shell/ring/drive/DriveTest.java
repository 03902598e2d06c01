package io.isle.faces.shell.ring.drive;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingLoss;
import io.isle.faces.shell.ring.EndpointPath;
import io.isle.faces.shell.ring.FakeEndpoint;
import io.isle.faces.shell.ring.Nodes;
import io.isle.lib.drive.Drive;
import io.isle.lib.drive.DriveCounters;
import io.isle.lib.drive.DriveException;
import io.isle.lib.drive.DrivePlan;
import io.isle.lib.drive.DriveResult;
import io.isle.lib.drive.DriveWatch;
import io.isle.lib.drive.KeptPayloads;
import io.isle.lib.drive.Loss;
import io.isle.lib.drive.LostFrame;
import io.isle.lib.drive.Payloads;
import io.isle.lib.drive.Positions;
import io.isle.lib.drive.Replies;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DriveTest {
  private static final int PAYLOAD = 64;
  private static final long SECOND_NS = 1_000_000_000;
  private static final Positions FROM_ZERO = new Positions(0, Positions.ALL, 0);

  private final FakeEndpoint endpoint = new FakeEndpoint(Nodes.master("head", 8 + PAYLOAD, 0));
  private final TreeMap<Long, byte[]> replies = new TreeMap<>();
  private final List<Loss> losses = new ArrayList<>();

  /** Payload i has the bytes i. */
  private static final class Numbers implements Payloads {
    private final MemorySegment memory = Arena.ofAuto().allocate(PAYLOAD);
    private final long count;
    private long next;

    Numbers(long count) {
      this.count = count;
    }

    @Override
    public long count() {
      return count;
    }

    @Override
    public boolean next() {
      memory.fill((byte) next);
      return next++ < count;
    }

    @Override
    public MemorySegment memory() {
      return memory;
    }

    @Override
    public long offset() {
      return 0;
    }
  }

  private final DriveWatch watch =
      new DriveWatch() {
        @Override
        public void progress(DriveCounters counters) {
          assertTrue(counters.packets() >= 0);
        }

        @Override
        public void lost(Loss loss) {
          losses.add(loss);
        }
      };

  private void keep(long index, MemorySegment packet, long offset) {
    replies.put(index, packet.asSlice(offset).toArray(ValueLayout.JAVA_BYTE));
  }

  private Drive drive(long count, DrivePlan plan) {
    return Drive.lossy(new EndpointPath(endpoint), plan, new Numbers(count), this::keep, watch);
  }

  private void checkReplies(IntStream indices) {
    List<Long> expected = indices.mapToObj(i -> (long) i).toList();
    assertEquals(expected, List.copyOf(replies.keySet()));
    replies.forEach(
        (index, payload) -> {
          byte[] right = new byte[PAYLOAD];
          Arrays.fill(right, (byte) (index + 1));
          assertArrayEquals(right, payload);
        });
  }

  /** As of a FIFO whose writer comes late. */
  @Test
  void aWaitForTheNextPayloadIsNoLackOfProgress() throws Exception {
    CountDownLatch looks = new CountDownLatch(3);
    DriveWatch watching =
        new DriveWatch() {
          @Override
          public void progress(DriveCounters counters) {
            looks.countDown();
          }

          @Override
          public void lost(Loss loss) {
            losses.add(loss);
          }
        };
    Payloads late =
        new Payloads() {
          private final Numbers numbers = new Numbers(2);

          @Override
          public long count() {
            return Long.MAX_VALUE;
          }

          @Override
          public boolean next() throws InterruptedException {
            looks.await();
            return numbers.next();
          }

          @Override
          public MemorySegment memory() {
            return numbers.memory();
          }

          @Override
          public long offset() {
            return 0;
          }
        };
    DrivePlan plan = new DrivePlan(FROM_ZERO, 0, 1, SECOND_NS / 1000);
    assertEquals(
        2,
        Drive.lossy(new EndpointPath(endpoint), plan, late, this::keep, watching).run().replies());
    assertEquals(List.of(), losses);
  }

  @Test
  void repliesOfAllPacketsAreTakenInOrder() throws Exception {
    DriveResult result = drive(1000, new DrivePlan(FROM_ZERO, 0, 16, SECOND_NS)).run();
    assertEquals(1000, result.packets());
    assertEquals(1000, result.replies());
    assertEquals(new BitSet(), result.lost());
    checkReplies(IntStream.range(0, 1000));
    for (int i = 0; i < 1000; i++) {
      assertEquals(i, FakeEndpoint.position(endpoint.sent().get(i)));
    }
    assertTrue(endpoint.mostOut() <= 16);
  }

  @Test
  void aWindowOfOneIsStopAndWait() throws Exception {
    DriveResult result = drive(300, new DrivePlan(FROM_ZERO, 0, 1, SECOND_NS)).run();
    assertEquals(300, result.replies());
    assertEquals(1, endpoint.mostOut());
    checkReplies(IntStream.range(0, 300));
  }

  @Test
  void theFirstOnesTravelWithoutReply() throws Exception {
    DriveResult result = drive(20, new DrivePlan(new Positions(0, 8, 6), 5, 4, SECOND_NS)).run();
    assertEquals(15, result.replies());
    checkReplies(IntStream.range(5, 20));
    for (int i = 0; i < 20; i++) {
      byte[] packet = endpoint.sent().get(i);
      assertEquals((6 + i) % 8, FakeEndpoint.position(packet));
      assertEquals(i < 5 ? 0 : 1, FakeEndpoint.flags(packet));
    }
  }

  @Test
  void packetsThatComeRoundWithoutATailAreStrays() throws Exception {
    endpoint.with((packet, back) -> back.accept(FakeEndpoint.plusOne(packet)));
    DriveResult result = drive(20, new DrivePlan(FROM_ZERO, 5, 4, SECOND_NS)).run();
    assertEquals(5, result.strays());
    checkReplies(IntStream.range(5, 20));
  }

  @Test
  void lossesOfTheLinkAreToldAndTheDriveGoesOn() throws Exception {
    RingLoss frame = new RingLoss(32800, 1, 12);
    endpoint.with(
        (packet, back) ->
            back.accept(
                FakeEndpoint.position(packet) % 10 == 3 ? frame : FakeEndpoint.plusOne(packet)));
    DriveResult result = drive(50, new DrivePlan(FROM_ZERO, 0, 4, SECOND_NS)).run();
    assertEquals(45, result.replies());
    assertEquals(5, result.lost().cardinality());
    checkReplies(IntStream.range(0, 50).filter(i -> i % 10 != 3));
    assertEquals(List.of(3L, 13L, 23L, 33L, 43L), losses.stream().map(Loss::index).toList());
    assertEquals(Optional.of(new LostFrame(32800, 1, 12)), losses.getFirst().frame());
  }

  @Test
  void silentLossesAreFoundByLaterRepliesAndByTime() throws Exception {
    endpoint.with(
        (packet, back) -> {
          int position = FakeEndpoint.position(packet);
          if (position != 3 && position != 19) {
            back.accept(FakeEndpoint.plusOne(packet));
          }
        });
    DriveResult result = drive(20, new DrivePlan(FROM_ZERO, 0, 4, SECOND_NS / 10)).run();
    assertEquals(18, result.replies());
    checkReplies(IntStream.range(0, 19).filter(i -> i != 3));
    assertEquals(
        List.of(Loss.Cause.OVERTAKEN, Loss.Cause.SILENCE),
        losses.stream().map(Loss::cause).toList());
  }

  @Test
  void repliesOutOfOrderAreTakenAndRepeatedOnesAreNot() throws Exception {
    List<byte[]> kept = new ArrayList<>();
    endpoint.with(
        (packet, back) -> {
          int position = FakeEndpoint.position(packet);
          byte[] reply = FakeEndpoint.plusOne(packet);
          if (position % 4 == 1) {
            kept.add(reply);
          } else {
            back.accept(reply);
            kept.forEach(back);
            kept.clear();
            back.accept(reply);
          }
        });
    DriveResult result = drive(40, new DrivePlan(FROM_ZERO, 0, 8, SECOND_NS)).run();
    assertEquals(40, result.replies());
    assertEquals(10, result.late());
    assertTrue(result.strays() >= 29, "the drive may end before the last one");
    assertEquals(new BitSet(), result.lost());
    checkReplies(IntStream.range(0, 40));
  }

  @Test
  void anExactDriveSendsLostPacketsAgainUntilEachHasItsReply() throws Exception {
    Set<Integer> lost = new HashSet<>();
    AtomicLong answeredNs = new AtomicLong();
    AtomicLong keptNs = new AtomicLong();
    endpoint.with(
        (packet, back) -> {
          int position = FakeEndpoint.position(packet);
          if (position % 7 != 3 && position != 49 || !lost.add(position)) {
            answeredNs.set(System.nanoTime());
            back.accept(FakeEndpoint.plusOne(packet));
          }
        });
    DrivePlan plan = new DrivePlan(FROM_ZERO, 0, 8, SECOND_NS / 10);
    try (KeptPayloads kept = new KeptPayloads(plan, PAYLOAD)) {
      DriveResult result =
          Drive.exact(
                  new EndpointPath(endpoint),
                  plan,
                  new Numbers(50),
                  (index, packet, offset) -> {
                    if (index != 49) {
                      keptNs.set(System.nanoTime());
                    }
                    keep(index, packet, offset);
                  },
                  kept,
                  watch)
              .run();
      assertEquals(50, result.replies());
      assertEquals(lost.size(), losses.size());
      assertEquals(lost.size(), result.resent());
      long silenceNs = answeredNs.get() - keptNs.get();
      assertTrue(result.gapNs() >= silenceNs, () -> silenceNs + " ns without a reply: " + result);
    }
    checkReplies(IntStream.range(0, 50));
  }

  @Test
  void aChangeIsMadeWhileNoPacketIsOnItsWay() throws Exception {
    AtomicReference<Drive> drive = new AtomicReference<>();
    AtomicReference<Thread> changing = new AtomicReference<>();
    List<Integer> outAtChange = new ArrayList<>();
    endpoint.with(
        (packet, back) -> {
          if (FakeEndpoint.position(packet) == 20) {
            changing.set(
                changer(drive.get(), () -> outAtChange.add(sentPackets() - replies.size())));
          }
          back.accept(FakeEndpoint.plusOne(packet));
        });
    DrivePlan plan = new DrivePlan(FROM_ZERO, 0, 8, SECOND_NS);
    try (KeptPayloads kept = new KeptPayloads(plan, PAYLOAD)) {
      drive.set(
          Drive.exact(
              new EndpointPath(endpoint), plan, new Numbers(5000), this::keep, kept, watch));
      assertEquals(5000, drive.get().run().replies());
    }
    changing.get().join();
    assertEquals(List.of(0), outAtChange);
    DriveException late = assertThrows(DriveException.class, () -> drive.get().change(() -> {}));
    assertTrue(late.getMessage().contains("sent already"), late.getMessage());
  }

  private int sentPackets() {
    return endpoint.sent().size();
  }

  private static Thread changer(Drive drive, Runnable change) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                drive.change(change);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  @Test
  void aBrokenLinkLeavesThePacketsFateOpen() throws Exception {
    endpoint.failSend(-Errno.EINTR);
    endpoint.with(
        (packet, back) -> {
          back.accept(-Errno.EINTR);
          back.accept(FakeEndpoint.plusOne(packet));
        });
    DriveResult result = drive(5, new DrivePlan(FROM_ZERO, 0, 4, SECOND_NS)).run();
    assertEquals(5, result.broken());
    assertEquals(4, result.replies());
    assertEquals(BitSet.valueOf(new long[] {1}), result.lost());
  }

  @Test
  void whatAnEarlierDriveLeftIsThrownAway() throws Exception {
    byte[] old = new byte[8 + PAYLOAD];
    old[4] = 1;
    for (int i = 0; i < 3; i++) {
      endpoint.arrive(old.clone());
      endpoint.arrive(-Errno.EINTR);
    }
    DriveResult result = drive(5, new DrivePlan(FROM_ZERO, 0, 4, SECOND_NS)).run();
    assertEquals(6, result.old());
    checkReplies(IntStream.range(0, 5));
  }

  @Test
  void aClosedNodeEndsTheDrive() {
    endpoint.with(
        (packet, back) -> {
          if (FakeEndpoint.position(packet) == 7) {
            endpoint.close();
          }
          FakeEndpoint.PLUS_ONE.pass(packet, back);
        });
    DriveException e =
        assertThrows(
            DriveException.class, () -> drive(50, new DrivePlan(FROM_ZERO, 0, 4, SECOND_NS)).run());
    assertEquals(1, e.exitStatus());
    assertTrue(e.getMessage().contains("head") && e.getMessage().contains("was closed"));
  }

  @Test
  void withoutProgressTheDriveFailsWithTheStateOfTheLinks() {
    endpoint.full(true);
    DriveException e =
        assertThrows(
            DriveException.class,
            () -> drive(5, new DrivePlan(FROM_ZERO, 0, 4, SECOND_NS / 50)).run());
    assertTrue(e.getMessage().contains("no packet has come round"), e.getMessage());
    assertTrue(e.getMessage().contains("next tcp://127.0.0.1:7001 is up"), e.getMessage());
  }

  @Test
  void aReplyThatCannotBeKeptEndsTheDrive() {
    Replies broken =
        (index, packet, offset) -> {
          throw new IOException("no space left");
        };
    DrivePlan plan = new DrivePlan(FROM_ZERO, 0, 4, SECOND_NS);
    DriveException e =
        assertThrows(
            DriveException.class,
            () ->
                Drive.lossy(new EndpointPath(endpoint), plan, new Numbers(50), broken, watch)
                    .run());
    assertTrue(e.getMessage().contains("no space left"));
  }

  @Test
  void anInterruptedDriveTakesTheDueReplies() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    List<byte[]> kept = new ArrayList<>();
    endpoint.with(
        (packet, back) -> {
          kept.add(FakeEndpoint.plusOne(packet));
          if (kept.size() == 4) {
            held.countDown();
          }
        });
    AtomicReference<Throwable> end = new AtomicReference<>();
    Thread runs =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    DriveResult ignored =
                        drive(50, new DrivePlan(FROM_ZERO, 0, 4, 60 * SECOND_NS)).run();
                  } catch (Throwable e) {
                    end.set(e);
                  }
                });
    held.await();
    runs.interrupt();
    kept.forEach(endpoint::arrive);
    runs.join();
    assertTrue(end.get() instanceof InterruptedException, () -> "ended by " + end.get());
    assertEquals(4, endpoint.sent().size());
    assertEquals(4, replies.size());
  }
}
