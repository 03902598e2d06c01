package io.isle.spin.nic.offline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.spin.HostReply;
import io.isle.api.spin.SpinException;
import io.isle.lib.kabi.SpinStructs;
import io.isle.spin.nic.core.HandlerKind;
import io.isle.spin.nic.hpus.JavaHpus;
import io.isle.spin.nic.hpus.TaskBounds;
import io.isle.spin.nic.plan.NicLimits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tasks on HPUs that are another thread. */
class RingsRunnerTest {
  private static final int HPU = 8;
  private static final int SLOT = 1030;
  private static final NicLimits LIMITS = NicLimits.FPSPIN;

  private final JavaHpus hpus = JavaHpus.of(SpinStructs.HPUS);
  private final AtomicBoolean attached = new AtomicBoolean(true);
  private final List<String> text = new ArrayList<>();
  private final List<Integer> frames = new ArrayList<>();
  private TaskBounds bounds = new TaskBounds(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2);
  private volatile boolean over;
  private Thread thread;

  private RingsRunner runner(HostReply reply, JavaHpus.Handler handler) {
    RingsRunner runner =
        new RingsRunner(hpus.nic(), attached::get, LIMITS, reply, bounds, text::add);
    thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over) {
                    if (hpus.stepAll(handler) == 0) {
                      Thread.onSpinWait();
                    }
                  }
                });
    return runner;
  }

  @AfterEach
  void stop() throws InterruptedException {
    over = true;
    if (thread != null) {
      thread.join();
    }
  }

  private TaskEnd run(RingsRunner runner, int... packet) {
    byte[] bytes = new byte[packet.length];
    IntStream.range(0, packet.length).forEach(i -> bytes[i] = (byte) packet[i]);
    runner.store(SLOT, MemorySegment.ofArray(bytes), 0, bytes.length);
    return runner.run(
        new OfflineTask(HandlerKind.PACKET, HPU, 3, SLOT, bytes.length, 0),
        (memory, offset, length) ->
            frames.add(memory.get(ValueLayout.JAVA_BYTE, offset) * 1000 + length));
  }

  /** Waits for room as handlers do. */
  private void send(JavaHpus all, int hpu, byte[] frame) {
    while (!over && !all.send(hpu, frame)) {
      Thread.onSpinWait();
    }
  }

  @Test
  void allFramesAndTextOfATaskComeBeforeItsEnd() {
    RingsRunner runner =
        runner(
            HostReply.NONE,
            (all, hpu, handler, packet) -> {
              assertEquals(HPU, hpu);
              assertEquals(SpinStructs.HANDLER_PACKET, handler);
              all.print("packet " + packet[0] + "\n");
              for (int i = 0; i < packet[0]; i++) {
                send(all, hpu, new byte[] {(byte) i, 0});
              }
              return 0;
            });
    TaskEnd end = run(runner, 40, 1);
    assertFalse(end.refused());
    assertEquals(Optional.empty(), end.trap());
    assertEquals(IntStream.range(0, 40).map(i -> i * 1000 + 2).boxed().toList(), frames);
    assertEquals(Optional.empty(), run(runner, 2).trap());
    assertEquals(42, frames.size());
    assertEquals("packet 40\npacket 2\n", String.join("", text));
  }

  @Test
  void aTrapIsTheEndOfItsTask() {
    RingsRunner runner =
        runner(
            HostReply.NONE,
            (all, hpu, handler, packet) -> packet[0] == 1 ? SpinStructs.CAUSE_ACCESS : 0);
    assertEquals(
        SpinStructs.CAUSE_ACCESS, run(runner, 1).trap().map(TaskTrap::cause).orElseThrow());
    assertEquals(Optional.empty(), run(runner, 2).trap());
  }

  @Test
  void theHostAnswersWithThePayload() {
    RingsRunner runner =
        runner(
            HostReply.ECHO,
            (all, hpu, handler, packet) -> {
              int number = all.request(hpu, 17);
              long answer = number | 17L << 8 | (long) hpu << 40;
              while (!over && all.answer(hpu) != answer) {
                Thread.onSpinWait();
              }
              all.answered(hpu);
              return 0;
            });
    assertEquals(Optional.empty(), run(runner, 1).trap());
    assertEquals(Optional.empty(), run(runner, 2).trap());
  }

  @Test
  void aProcessThatHasEndedEndsTheRun() {
    RingsRunner runner =
        runner(
            HostReply.NONE,
            (all, hpu, handler, packet) -> {
              attached.set(false);
              while (!over) {
                Thread.onSpinWait();
              }
              return 0;
            });
    SpinException e = assertThrows(SpinException.class, () -> run(runner, 1));
    assertEquals(Errno.EIO, e.code());
    assertEquals(
        "the process of the HPUs has ended while the handler packet of packet 0 ran",
        e.getMessage());
  }

  @Test
  void aProcessThatIsThereAndEndsNoTaskEndsTheRun() {
    bounds = new TaskBounds(1, Long.MAX_VALUE / 2);
    neverEnds(false);
  }

  @Test
  void aHandlerThatWaitsForTheHostWithoutEndEndsTheRun() {
    bounds = new TaskBounds(1, 1);
    neverEnds(true);
  }

  private void neverEnds(boolean waits) {
    RingsRunner runner =
        runner(
            HostReply.NONE,
            (all, hpu, handler, packet) -> {
              if (waits) {
                int ignored = all.request(hpu, 0);
              }
              while (!over) {
                Thread.onSpinWait();
              }
              return 0;
            });
    SpinException e = assertThrows(SpinException.class, () -> run(runner, 1));
    assertEquals(Errno.ETIMEDOUT, e.code());
    assertEquals(
        "the process of the HPUs does not end the handler packet of packet 0", e.getMessage());
  }

  @Test
  void aProcessThatBreaksTheRulesEndsTheRun() {
    RingsRunner runner =
        runner(
            HostReply.NONE,
            (all, hpu, handler, packet) -> {
              all.spoil(hpu);
              while (!over) {
                Thread.onSpinWait();
              }
              return 0;
            });
    SpinException e = assertThrows(SpinException.class, () -> run(runner, 1));
    assertEquals(Errno.EPROTO, e.code());
    assertTrue(frames.isEmpty());
  }
}
