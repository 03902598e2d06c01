package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the kernel then says of the thread, whether the tests may change it or not. */
@Timeout(60)
class ThreadSchedulingTest {
  private static final int SCHED_FIFO = 1;

  /** Policy and nice value of the kernel. */
  private record Scheduled(int policy, int nice) {
    static Scheduled now() {
      try {
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
        return new Scheduled(Integer.parseInt(fields.get(38)), Integer.parseInt(fields.get(16)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private record Outcome(int code, Scheduled before, Scheduled after, Scheduled child) {}

  /** On a thread of its own, which takes its scheduling with it. */
  private static Outcome on(IntSupplier call) throws Exception {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  Scheduled before = Scheduled.now();
                  int code = call.getAsInt();
                  Scheduled after = Scheduled.now();
                  CompletableFuture<Scheduled> child = new CompletableFuture<>();
                  Thread.ofPlatform().start(() -> child.complete(Scheduled.now()));
                  outcome.complete(new Outcome(code, before, after, child.join()));
                });
    thread.join();
    return outcome.get();
  }

  @Test
  void aRealtimeThreadIsFifoOrIsToldWhyNot() throws Exception {
    Outcome outcome = on(() -> ThreadScheduling.fifo(1));
    if (outcome.code() == 0) {
      assertEquals(SCHED_FIFO, outcome.after().policy());
    } else {
      assertEquals(-Errno.EPERM, outcome.code());
      assertEquals(outcome.before(), outcome.after());
    }
    assertEquals(
        outcome.before().policy(),
        outcome.child().policy(),
        "threads it starts are scheduled as usual");
  }

  @Test
  void aNiceValueIsSetOrIsToldWhyNot() throws Exception {
    Outcome lower = on(() -> ThreadScheduling.nice(-15));
    if (lower.code() == 0) {
      assertEquals(-15, lower.after().nice());
    } else {
      assertTrue(lower.code() == -Errno.EACCES || lower.code() == -Errno.EPERM, "" + lower);
      assertEquals(lower.before(), lower.after());
    }
    assertTrue(lower.child().nice() >= 0, "threads it starts are scheduled as usual");
    Outcome higher = on(() -> ThreadScheduling.nice(19));
    assertEquals(0, higher.code());
    assertEquals(19, higher.after().nice());
  }

  @Test
  void aSliceChangesNothingElse() throws Exception {
    Outcome outcome =
        on(
            () -> {
              int code = ThreadScheduling.nice(5);
              code = code == 0 ? ThreadScheduling.slice(100_000) : code;
              return code == 0 ? ThreadScheduling.slice(0) : code;
            });
    assertEquals(0, outcome.code());
    assertEquals(outcome.before().policy(), outcome.after().policy());
    assertEquals(5, outcome.after().nice());
  }

  @Test
  void aRealtimeThreadHasNoSlice() throws Exception {
    Outcome outcome =
        on(
            () -> {
              int fifo = ThreadScheduling.fifo(1);
              return fifo == 0 ? ThreadScheduling.slice(100_000) : fifo;
            });
    assertTrue(outcome.code() == -Errno.EINVAL || outcome.code() == -Errno.EPERM, "" + outcome);
  }

  @Test
  void valuesOutOfRangeAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> ThreadScheduling.fifo(0));
    assertThrows(IllegalArgumentException.class, () -> ThreadScheduling.fifo(100));
    assertThrows(IllegalArgumentException.class, () -> ThreadScheduling.nice(-21));
    assertThrows(IllegalArgumentException.class, () -> ThreadScheduling.nice(20));
    assertThrows(IllegalArgumentException.class, () -> ThreadScheduling.slice(-1));
    assertThrows(IllegalArgumentException.class, () -> ThreadScheduling.slice(99_999));
    assertThrows(IllegalArgumentException.class, () -> ThreadScheduling.slice(100_000_001));
  }
}
