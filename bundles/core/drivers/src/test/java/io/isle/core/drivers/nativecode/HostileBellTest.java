package io.isle.core.drivers.nativecode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Ids;
import io.isle.api.device.Priority;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Programs;
import io.isle.core.drivers.nativecode.control.CoreConnection;
import io.isle.core.drivers.nativecode.host.Sandbox;
import io.isle.core.drivers.nativecode.host.SpuriousWakes;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two processes of one device, of which one attacks the sleep of the agent that both work for; the
 * test's thread is that agent, and sleeps until it is woken, however long that takes.
 */
@Timeout(240)
class HostileBellTest {
  /** Longer than the agent may sleep while something completes. */
  private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);

  private static final long PROGRAM = Ids.of(Ids.PROGRAM, 1, 0);
  private static final ContextArgs ARGS = new ContextArgs(1, Priority.NORMAL, 0, 0, 0, 0);

  @TempDir Path folder;
  private final FakeAttachment attachment = new FakeAttachment();
  private final CompletableFuture<RecoveryCause> lost = new CompletableFuture<>();
  private SoftDevice neighbour;
  private NativeOpened hostile;
  private int accepted;
  private int spoiltBy;

  @BeforeEach
  void open() throws IOException {
    Files.createSymbolicLink(
        folder.resolve("driver-host"), SoftDevice.NATIVE.resolve("hostile-host"));
    neighbour =
        new SoftDevice(SoftDevice.NATIVE.resolve("libsoftaccel.so"), 2, Map.of(), attachment);
    neighbour.context(0);
    var ignored =
        neighbour
            .device
            .extension(Programs.class)
            .orElseThrow()
            .load(
                SoftDevice.CONTEXT,
                PROGRAM,
                Programs.Kind.BUILTIN,
                "noop".getBytes(StandardCharsets.UTF_8));
  }

  private void openHostile(String mode) {
    NativeDriver driver =
        NativeDriver.look(
            new NativeRuntime(folder, 50, Sandbox.DEFAULT), folder.resolve(mode), line -> {});
    DeviceSpec spec = new DeviceSpec("hostile0", new DeviceSeed("0", "", ""), 2, true, Map.of());
    hostile =
        driver.open(
            spec,
            1,
            CoreConnection.of(
                attachment,
                (tag, status, start, end, busy, detail) -> {
                  accepted++;
                  spoiltBy |= detail;
                  return 0;
                }),
            lost::complete);
    hostile.device().createContext(Ids.of(Ids.CONTEXT, 1, 1), ARGS);
  }

  @AfterEach
  void close() {
    if (hostile != null) {
      hostile.device().close();
    }
    neighbour.close();
  }

  /** One duty cycle; sleeps when there was nothing to do. */
  private void cycle() {
    attachment.bells.look();
    int work = neighbour.device.poll(64);
    if (hostile.device().alive()) {
      work += hostile.device().poll(64);
    }
    if (work == 0) {
      long before = System.nanoTime();
      attachment.bells.await(LONG_NS, true);
      assertTrue(System.nanoTime() - before < LONG_NS, "nobody woke the agent");
    }
  }

  /** The neighbour does so much work, one piece after the other; all of it wakes the agent. */
  private void neighbourWorks(int pieces) {
    int goal = neighbour.ended.size() + pieces;
    while (neighbour.ended.size() < goal) {
      int before = neighbour.ended.size();
      assertTrue(neighbour.dispatch(PROGRAM) > 0);
      while (neighbour.ended.size() == before) {
        cycle();
      }
      assertEquals(0, neighbour.ended.getLast().status());
    }
  }

  private void hostileWorks(int pieces) {
    int goal = accepted + pieces;
    for (int i = 1; accepted < goal; i++) {
      long tag = (long) goal << 32 | i % 1024;
      try {
        int ignored =
            hostile
                .device()
                .submit(Ids.of(Ids.CONTEXT, 1, 1), tag, attachment.commands().memory(), 0, 128);
      } catch (DriverException e) {
        assertFalse(hostile.device().alive(), e.getMessage());
      }
      while (hostile.device().poll(64) == 0) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void nobodyButTheCoreCanSayThatTheAgentIsAwake() {
    openHostile("holds-awake");
    attachment.agent().memory().set(ValueLayout.JAVA_INT, 0, 1);
    hostileWorks(3);
    assertEquals(0, spoiltBy, "an attempt to write succeeded");
    assertEquals(1, attachment.agent().memory().get(ValueLayout.JAVA_INT, 0));
    neighbourWorks(300);
    assertTrue(hostile.device().alive());
  }

  @Test
  void whoDoesNotRingKeepsNobodyElseAsleep() {
    openHostile("never-rings");
    hostileWorks(3);
    neighbourWorks(300);
    assertEquals(0, attachment.made.getLast().wakes());
    assertTrue(hostile.device().alive());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rings-without-end", "wakes-without-ringing"})
  void whoRingsForEverIsEndedAndNobodyElse(String mode) throws Exception {
    openHostile(mode);
    while (hostile.device().alive()) {
      neighbourWorks(1);
    }
    RecoveryCause cause = lost.get(60, TimeUnit.SECONDS);
    assertEquals(RecoveryCause.Kind.PROTOCOL, cause.kind());
    assertTrue(cause.text().contains("woke the device's agent"), cause.text());
    assertTrue(attachment.made.getLast().wakes() > SpuriousWakes.ALLOWED);
    hostile.device().close();
    long before = attachment.made.getLast().wakes();
    neighbourWorks(300);
    assertEquals(before, attachment.made.getLast().wakes(), "it still wakes the agent");
    assertTrue(neighbour.device.alive());
    assertTrue(attachment.made.getFirst().wakes() <= 2L * neighbour.ended.size());
    hostile = null;
  }
}
