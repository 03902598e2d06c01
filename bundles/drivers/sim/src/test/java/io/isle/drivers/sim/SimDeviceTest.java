package io.isle.drivers.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.FaultInjection.Fault;
import io.isle.api.driver.PageRetirement;
import io.isle.api.driver.PowerControl;
import io.isle.api.driver.Programs;
import io.isle.lib.kabi.CommandEnvelope.Binding;
import io.isle.lib.kabi.CommandOp.Arg;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimDeviceTest {
  private static final long CONTEXT = 0x0200_0001_0000_0001L;
  private static final ContextArgs ARGS = new ContextArgs(1, Priority.NORMAL, 0, 0, 0, 0);

  private final Arena arena = Arena.ofShared();
  private final FakeCore core = new FakeCore();
  private AccelDevice device;

  @BeforeEach
  void open() {
    device = open(Map.of("fault_injection", "true", "memory_bytes", "1m"));
    device.createContext(CONTEXT, ARGS);
  }

  @AfterEach
  void close() {
    device.close();
    assertEquals(0, core.sharedPieces());
    core.close();
    arena.close();
  }

  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, AssertionError.class})
  void aUnitThatFailsLosesTheDevice(Class<? extends Throwable> thrown) throws Exception {
    core.onCompletion =
        () -> {
          if (thrown == AssertionError.class) {
            throw new AssertionError("planned");
          }
          throw new IllegalStateException("planned");
        };
    submit(1, new Envelope().fill(arena, 0, 0, 0, 0));
    String why = core.lost.take();
    assertTrue(why.contains("planned"), why);
    assertFalse(device.alive());
  }

  @Test
  void sha256IsRight() throws Exception {
    MemorySegment src = memory(10, 5000);
    MemorySegment dst = memory(11, 96);
    for (int i = 0; i < 5000; i++) {
      src.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7));
    }
    program(20, "sha256");
    submit(
        1,
        new Envelope()
            .memory(10, 0, 5000, 1)
            .memory(11, 0, 96, 2)
            .program(20)
            .dispatch(arena, Arg.BUFFER, 0, Arg.BUFFER, 1, Arg.U64, 2048));
    assertEquals(CompletionSink.SUCCESS, next().status());
    byte[] last = src.asSlice(4096, 904).toArray(ValueLayout.JAVA_BYTE);
    assertArrayEquals(
        MessageDigest.getInstance("SHA-256").digest(last),
        dst.asSlice(64, 32).toArray(ValueLayout.JAVA_BYTE));
  }

  @Test
  void histogramAndFillAreRight() throws Exception {
    MemorySegment src = memory(10, 4096);
    MemorySegment dst = memory(11, 2048);
    submit(1, new Envelope().memory(10, 1, 7, 2).fill(arena, 0, 0, 7, 0x04030201));
    assertEquals(CompletionSink.SUCCESS, next().status());
    assertArrayEquals(
        new byte[] {0, 1, 2, 3, 4, 1, 2, 3, 0}, src.asSlice(0, 9).toArray(ValueLayout.JAVA_BYTE));
    program(20, "histogram");
    submit(
        2,
        new Envelope()
            .memory(10, 0, 4096, 1)
            .memory(11, 0, 2048, 2)
            .program(20)
            .dispatch(arena, Arg.BUFFER, 0, Arg.BUFFER, 1));
    assertEquals(CompletionSink.SUCCESS, next().status());
    assertEquals(4089, dst.getAtIndex(ValueLayout.JAVA_LONG, 0));
    assertEquals(2, dst.getAtIndex(ValueLayout.JAVA_LONG, 1));
    assertEquals(1, dst.getAtIndex(ValueLayout.JAVA_LONG, 4));
  }

  @Test
  void workUsesCopies() throws Exception {
    device.close();
    device = open(Map.of("compiler", "true", "copies", "true"));
    device.createContext(CONTEXT, ARGS);
    MemorySegment memory = memory(10, 64);
    MemorySegment seen = memory(11, 64);
    int apart = Binding.NO_COPY_IN | Binding.NO_COPY_BACK;
    submit(1, new Envelope().memory(10, 0, 64, Binding.WRITE | apart).fill(arena, 0, 0, 64, -1));
    assertEquals(CompletionSink.SUCCESS, next().status());
    assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, 0), "the CPU does not see it");
    program(20, "copy");
    copy(2, Binding.READ | Binding.NO_COPY_IN);
    assertEquals(-1, seen.get(ValueLayout.JAVA_BYTE, 63), "later work does");
    copy(3, Binding.READ);
    assertEquals(0, seen.get(ValueLayout.JAVA_BYTE, 63), "but not behind a copy of the CPU's");
  }

  private void copy(long tag, int access) throws Exception {
    submit(
        tag,
        new Envelope()
            .memory(10, 0, 64, access)
            .memory(11, 0, 64, Binding.WRITE)
            .program(20)
            .dispatch(arena, Arg.BUFFER, 0, Arg.BUFFER, 1));
    assertEquals(CompletionSink.SUCCESS, next().status());
  }

  @Test
  void aDeviceWithoutACompilerTakesNoLaunch() throws Exception {
    program(20, "noop");
    submit(1, new Envelope().program(20).launch(arena, 1));
    assertEquals(-Errno.ENOTSUP, next().detail());
    device.close();
    device = open(Map.of("compiler", "true"));
    device.createContext(CONTEXT, ARGS);
    program(20, "noop");
    submit(2, new Envelope().program(20).launch(arena, 1));
    assertEquals(CompletionSink.SUCCESS, next().status());
  }

  @Test
  void latencyIsDeviceTime() throws Exception {
    device.close();
    device = open(Map.of("latency_ns", "3000000"));
    device.createContext(CONTEXT, ARGS);
    noop(1);
    FakeCore.Done done = next();
    assertTrue(done.endNs() - done.startNs() >= 3_000_000);
    assertTrue(done.busyNs() >= 3_000_000);
  }

  @Test
  void faultsComeAsPlanned() throws Exception {
    inject(Fault.CONTEXT_ERROR, 1, 1, 0);
    noop(1);
    noop(2);
    noop(3);
    assertEquals(CompletionSink.SUCCESS, next().status());
    assertEquals(-Errno.EIO, next().detail());
    assertEquals(-Errno.EIO, next().detail());
    device.resetContext(CONTEXT);
    inject(Fault.PARTIAL_ERROR, 0, 1, 0);
    noop(4);
    assertEquals(CompletionSink.PARTIAL_ERROR, next().status());
  }

  @Test
  void hungAndLostWorkEndsWithAReset() throws Exception {
    inject(Fault.LOST_COMPLETION, 0, 1, 0);
    inject(Fault.HANG, 0, 1, 0);
    noop(1);
    noop(2);
    noop(3);
    device.resetDevice();
    assertEquals(3, core.done.size());
    for (int i = 0; i < 3; i++) {
      assertEquals(CompletionSink.ERROR, next().status());
    }
    noop(4);
    assertEquals(4, next().tag());
  }

  @Test
  void aSimulatedCrashIsALostDevice() throws Exception {
    inject(Fault.SEGV, 0, 1, 0);
    noop(1);
    assertTrue(core.lost.poll(10, TimeUnit.SECONDS).contains("segv"));
    assertFalse(device.alive());
    assertEquals(-Errno.ENODEV, submitCode(2, new Envelope().fill(arena, 0, 0, 0, 0)));
    assertEquals(
        Errno.ENODEV,
        assertThrows(DriverException.class, () -> device.resetContext(CONTEXT)).code());
    assertTrue(core.done.isEmpty());
  }

  /** Submits busy work and, once it runs, tells it that its time is up. */
  private FakeCore.Done overdue(String granularity, long us) throws InterruptedException {
    device.close();
    device = open(Map.of("preemption", granularity));
    device.createContext(CONTEXT, ARGS);
    program(21, "busy");
    submit(9, new Envelope().program(21).dispatch(arena, Arg.U64, us));
    assertEquals(9, core.starts.poll(20, TimeUnit.SECONDS));
    assertEquals(0, device.preempt(CONTEXT, 2));
    return next();
  }

  @Test
  void workWhoseTimeIsUpStopsAtOnceWhereThatIsPossible() throws Exception {
    FakeCore.Done done = overdue("instruction", 60_000_000);
    assertEquals(CompletionSink.PREEMPTED, done.status());
    assertEquals(-Errno.ETIMEDOUT, done.detail());
  }

  @Test
  void workWithinItsLimitIsLeftAlone() throws Exception {
    device.createContext(5, new ContextArgs(1, Priority.HIGH, 0, 600_000_000, 0, 0));
    device.extension(Programs.class).orElseThrow().load(5, 21, Programs.Kind.BUILTIN, name("busy"));
    MemorySegment envelope = new Envelope().program(21).dispatch(arena, Arg.U64, 20_000);
    assertEquals(0, device.submit(5, 9, envelope, 0, (int) envelope.byteSize()));
    assertEquals(9, core.starts.poll(20, TimeUnit.SECONDS));
    assertEquals(0, device.preempt(5, 2));
    assertEquals(CompletionSink.SUCCESS, next().status());
  }

  @Test
  void workWhoseTimeIsUpRunsToItsEndWhereItMust() throws Exception {
    FakeCore.Done done = overdue("command_buffer", 300_000);
    assertEquals(CompletionSink.TIMEOUT, done.status());
    assertEquals(-Errno.ETIMEDOUT, done.detail());
    done = overdue("draw_dispatch", 300_000);
    assertEquals(CompletionSink.PREEMPTED, done.status());
  }

  @Test
  void aLowerClockMakesWorkSlower() throws Exception {
    device.extension(PowerControl.class).orElseThrow().enter(PowerControl.State.D1_LOW_POWER);
    program(21, "busy");
    submit(1, new Envelope().program(21).dispatch(arena, Arg.U64, 2_000));
    FakeCore.Done done = next();
    assertEquals(CompletionSink.SUCCESS, done.status());
    assertTrue(done.endNs() - done.startNs() >= 12_000_000);
    assertEquals(500, device.power().clockMhz());
  }

  @Test
  void aRetiredPageLeavesTheMemory() throws Exception {
    MemorySegment bytes = memory(10, 8192);
    bytes.fill((byte) 7);
    inject(Fault.ECC_UNCORRECTABLE, 0, 1, 4096);
    submit(1, new Envelope().memory(10, 0, 8192, 2).fill(arena, 0, 0, 4, 0));
    assertEquals(-Errno.EHWPOISON, next().detail());
    PageRetirement pages = device.extension(PageRetirement.class).orElseThrow();
    assertEquals(List.of(new PageRetirement.Range(10, 4096, 4096)), pages.faulty());
    pages.retire(pages.faulty().getFirst());
    assertEquals(0, bytes.get(ValueLayout.JAVA_BYTE, 4096));
    assertEquals(7, bytes.get(ValueLayout.JAVA_BYTE, 4095));
    assertEquals((1 << 20) - 4096, device.utilization().memoryTotalBytes());
    inject(Fault.ECC_UNCORRECTABLE, 0, 1, 0);
    submit(2, new Envelope().memory(10, 0, 8192, 2).fill(arena, 0, 0, 4, 0));
    assertEquals(-Errno.EHWPOISON, next().detail());
    device.free(10);
    assertEquals(2, pages.retiredPages());
  }

  @Test
  void pagesCanBeRetiredUntilNoneIsLeft() throws Exception {
    MemorySegment bytes = memory(10, 4096);
    PageRetirement pages = device.extension(PageRetirement.class).orElseThrow();
    inject(Fault.ECC_UNCORRECTABLE, 0, 260, 0);
    for (int i = 1; i <= 260; i++) {
      submit(i, new Envelope().memory(10, 0, 4096, 2).fill(arena, 0, 0, 4, 0));
      assertEquals(-Errno.EHWPOISON, next().detail());
      pages.retire(new PageRetirement.Range(10, 0, 4096));
    }
    assertEquals(260, pages.retiredPages());
    assertEquals(0, device.utilization().memoryTotalBytes());
    assertThrows(DriverException.class, () -> memory(11, 4096));
    assertEquals(4096, bytes.byteSize());
  }

  @Test
  void faultsAreOfferedOnlyWhenTheSettingsAllowThem() {
    AccelDevice plain = open(Map.of());
    assertTrue(plain.extension(FaultInjection.class).isEmpty());
    plain.close();
  }

  @Test
  void badSettingsAreNamed() {
    DriverException thrown =
        assertThrows(DriverException.class, () -> open(Map.of("latency_ns", "-1")));
    assertTrue(thrown.getMessage().startsWith("latency_ns: "));
    assertThrows(DriverException.class, () -> open(Map.of("colour", "red")));
  }

  private AccelDevice open(Map<String, String> settings) {
    return new SimDriver().open(new DeviceSeed("sim0", "", ""), new HashMap<>(settings), core);
  }

  private MemorySegment memory(long id, long size) {
    AllocArgs args = new AllocArgs(size, 64, AllocArgs.PageSize.STANDARD, AllocArgs.CPU_VISIBLE);
    return device.allocate(CONTEXT, id, args).cpu().orElseThrow();
  }

  private void program(long id, String program) {
    device
        .extension(Programs.class)
        .orElseThrow()
        .load(CONTEXT, id, Programs.Kind.BUILTIN, name(program));
  }

  private static byte[] name(String program) {
    return program.getBytes(StandardCharsets.UTF_8);
  }

  private void inject(Fault fault, long after, long count, long value) {
    device.extension(FaultInjection.class).orElseThrow().inject(fault, after, count, value);
  }

  private void noop(long tag) {
    if (tag == 1) {
      program(30, "noop");
    }
    submit(tag, new Envelope().program(30).dispatch(arena));
  }

  private void submit(long tag, MemorySegment envelope) {
    assertEquals(0, submitCode(tag, envelope));
  }

  private int submitCode(long tag, MemorySegment envelope) {
    return device.submit(CONTEXT, tag, envelope, 0, (int) envelope.byteSize());
  }

  private FakeCore.Done next() throws InterruptedException {
    FakeCore.Done done = core.done.poll(20, TimeUnit.SECONDS);
    assertTrue(done != null, "no completion came");
    return done;
  }
}
