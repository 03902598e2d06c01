package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.accel.Context;
import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.lib.ffi.Futex;
import io.isle.lib.shm.AgentBells;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes that ring for the agent of a device, which runs on a thread of its own. */
@Timeout(120)
class ProcessBellsTest {
  private final Fixture fixture = new Fixture();
  private final AtomicBoolean over = new AtomicBoolean();

  @AfterEach
  void close() {
    over.set(true);
    fixture.close();
  }

  /** A process that rings for ever; returns when it has seen the agent asleep 200 times. */
  private Thread noise(DevicePort.Bell bell) throws InterruptedException {
    return noise(bell, 200, this::isAsleep);
  }

  /** A process that rings for ever; returns once a condition held after {@code times} rings. */
  private Thread noise(DevicePort.Bell bell, int times, BooleanSupplier condition)
      throws InterruptedException {
    CountDownLatch rung = new CountDownLatch(times);
    MemorySegment page = bell.page().memory();
    Thread noise =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 1; !over.get(); i++) {
                    page.set(ValueLayout.JAVA_INT, 0, i);
                    Futex.wake(page, 1);
                    if (condition.getAsBoolean()) {
                      rung.countDown();
                    }
                    Thread.yield();
                  }
                });
    rung.await();
    return noise;
  }

  private boolean isAsleep() {
    return fixture.attachment.agent().memory().get(ValueLayout.JAVA_INT, 0) != 0;
  }

  private void end(Thread noise, DevicePort.Bell bell) throws InterruptedException {
    over.set(true);
    noise.join();
    bell.mute();
  }

  /** What a process gets of it is this descriptor. */
  @Test
  void onlyTheCoreCanSayThatTheAgentSleeps() throws IOException {
    Path file = Path.of("/proc/self/fd/" + fixture.attachment.agent().descriptor());
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      assertEquals(4096, channel.size());
      assertThrows(IOException.class, () -> channel.write(ByteBuffer.allocate(4), 0));
      assertThrows(IOException.class, () -> channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096));
      assertEquals(4096, channel.map(FileChannel.MapMode.READ_ONLY, 0, 4096).capacity());
    }
  }

  /** Each of these is another process's; nobody has two. */
  @Test
  void everyProcessHasAPageOfItsOwn() {
    DevicePort.Bell one = fixture.attachment.newBell();
    DevicePort.Bell other = fixture.attachment.newBell();
    one.page().memory().set(ValueLayout.JAVA_INT, 0, 7);
    assertEquals(0, other.page().memory().get(ValueLayout.JAVA_INT, 0));
    assertEquals(7, one.page().memory().get(ValueLayout.JAVA_INT, 0));
    one.close();
    other.close();
  }

  @Test
  void nobodyWakesAnAgentThatWaitsForNothing() throws InterruptedException {
    DevicePort.Bell bell = fixture.attachment.newBell();
    bell.listen();
    end(noise(bell), bell);
    assertEquals(0, bell.wakes());
    bell.close();
  }

  @Test
  void whoWakesItForNothingIsCounted() throws InterruptedException {
    Context context = fixture.context();
    long point = context.submit(context.writer());
    var running = fixture.device.awaitRunning(1);
    DevicePort.Bell bell = fixture.attachment.newBell();
    DevicePort.Bell quiet = fixture.attachment.newBell();
    bell.listen();
    quiet.listen();
    // the agent hears a process from its next sleep on, which may come late on a busy machine
    end(noise(bell, 1, () -> bell.wakes() > 0), bell);
    quiet.mute();
    assertEquals(0, quiet.wakes());
    fixture.device.complete(running.get(0), CompletionSink.SUCCESS);
    assertEquals(0, context.await(point, -1));
    bell.close();
    quiet.close();
  }

  @Test
  void thereIsRoomForTheProcessesOfADeviceAndNoMore() {
    List<DevicePort.Bell> bells = new ArrayList<>();
    for (int i = 0; i <= AgentBells.MOST_PROCESSES; i++) {
      bells.add(fixture.attachment.newBell());
    }
    bells.subList(0, AgentBells.MOST_PROCESSES).forEach(DevicePort.Bell::listen);
    DriverException e = assertThrows(DriverException.class, () -> bells.getLast().listen());
    assertEquals(Errno.ENOSPC, e.code());
    bells.getFirst().close();
    bells.getLast().listen();
    bells.forEach(DevicePort.Bell::close);
    bells.forEach(DevicePort.Bell::close);
  }

  @Test
  void pagesAreUnmappedWhenTheyAreClosedWhateverTheAgentDoes() throws Exception {
    Context context = fixture.context();
    long before = pages();
    for (int i = 0; i < 200; i++) {
      long point = i % 4 == 0 ? context.submit(context.writer()) : 0;
      DevicePort.Bell bell = fixture.attachment.newBell();
      bell.listen();
      if (point > 0) {
        fixture.device.complete(fixture.device.awaitRunning(1).get(0), CompletionSink.SUCCESS);
      }
      bell.close();
    }
    assertEquals(before, pages());
  }

  private static long pages() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(line -> line.contains("/memfd:isle-doorbell")).count();
    }
  }
}
