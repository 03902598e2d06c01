package io.isle.core.drivers.nativecode.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.Priority;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.PageMigration;
import io.isle.api.driver.ProgramSources;
import io.isle.api.driver.Programs;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.Hello;
import io.isle.core.drivers.nativecode.control.Lane;
import io.isle.core.drivers.nativecode.control.Negotiation;
import io.isle.core.drivers.nativecode.control.OpenCall;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.KabiStructs;
import io.isle.lib.kabi.WireStructs;
import io.isle.lib.shm.Channel;
import io.isle.lib.shm.ChannelLayout;
import io.isle.lib.shm.LogLines;
import io.isle.lib.shm.StartedTable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** A driver host that answers what it likes: the core refuses, and only that device suffers. */
class HostileLaneTest {
  private static final long CONTEXT = Ids.of(Ids.CONTEXT, 1, 0);
  private static final ContextArgs ARGS = new ContextArgs(1, Priority.NORMAL, 0, 0, 0, 0);
  private static final AllocArgs PAGE = new AllocArgs(4096, 4096, AllocArgs.PageSize.STANDARD, 0);
  private static final StartedTable STARTS = Channel.create(64, 1, 0).started();
  private static final DeviceInfo INFO =
      new DeviceInfo(
          DeviceClass.GPU_COMPUTE,
          1,
          1 << 20,
          4,
          DeviceInfo.Preemption.NONE,
          4096,
          1,
          false,
          false,
          false,
          false);

  /** Answers with a well-formed header, then whatever {@link #body} gives. */
  private static class TestLane implements Lane {
    private long seq;
    private RecoveryCause abandoned;

    MemorySegment body() {
      return MemorySegment.ofArray(new byte[0]);
    }

    int result() {
      return 0;
    }

    @Override
    public void rings(DevicePort.Bell bell) {}

    @Override
    public void listen() {}

    @Override
    public boolean stays() {
      return false;
    }

    @Override
    public byte[] control(MemorySegment request, long timeoutNs) {
      seq++;
      MemorySegment body = body();
      long head = WireStructs.CONTROL_RESPONSE.size();
      byte[] bytes = new byte[(int) (head + body.byteSize())];
      MemorySegment response = MemorySegment.ofArray(bytes);
      WireStructs.CONTROL_RESPONSE.set(response, "seq", seq);
      WireStructs.CONTROL_RESPONSE.set(response, "result", result());
      WireStructs.CONTROL_RESPONSE.set(response, "length", body.byteSize());
      MemorySegment.copy(body, 0, response, head, body.byteSize());
      return bytes;
    }

    @Override
    public long nextSeq() {
      return seq + 1;
    }

    @Override
    public void offerSegment(int segment, int descriptor, MemorySegment memory, boolean writable) {
      assertTrue(segment > 0);
    }

    @Override
    public int submit(long tag, long context, long offset, int length) {
      return 0;
    }

    @Override
    public int preempt(long context, int reason) {
      return 0;
    }

    @Override
    public void ask(int limit) {}

    @Override
    public int poll(int limit, CompletionSink sink) {
      return 0;
    }

    @Override
    public LogLines log() {
      throw new UnsupportedOperationException();
    }

    @Override
    public StartedTable starts() {
      return STARTS;
    }

    @Override
    public boolean alive() {
      return abandoned == null;
    }

    @Override
    public RecoveryCause cause() {
      return abandoned;
    }

    @Override
    public void abandon(RecoveryCause cause) {
      abandoned = cause;
    }

    @Override
    public void onLost(Consumer<RecoveryCause> listener) {}

    @Override
    public void epoch(int epoch) {}

    @Override
    public Optional<Long> hostPid() {
      return Optional.of(1L);
    }

    @Override
    public void release() {}

    @Override
    public void end(boolean closed) {
      abandoned = new RecoveryCause(RecoveryCause.Kind.RELOAD, "closed");
    }
  }

  private static void tolerated(Runnable call) {
    try {
      call.run();
    } catch (DriverException refused) {
      assertFalse(refused.getMessage().isEmpty());
    }
  }

  @Property(tries = 2000)
  void randomBytesInEveryAnswerAreRefusedOrHarmless(
      @ForAll long seed, @ForAll @IntRange(max = 700) int length) {
    Random random = new Random(seed);
    TestLane lane =
        new TestLane() {
          @Override
          MemorySegment body() {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            return MemorySegment.ofArray(bytes);
          }
        };
    ControlClient control = new ControlClient(lane);
    DeviceSpec spec =
        new DeviceSpec("soft0", new DeviceSeed("0", "", ""), 2, true, Map.of("k", "v"));
    tolerated(() -> OpenCall.open(control, spec));
    tolerated(() -> Hello.ask(control));
    NativePrograms programs = new NativePrograms(lane, control, Set.of(), false);
    tolerated(() -> programs.load(CONTEXT, 1, Programs.Kind.BUILTIN, new byte[8]));
    byte[] longer = new byte[NativePrograms.MAX_INLINE + 1];
    tolerated(() -> programs.load(CONTEXT, 1, Programs.Kind.OPENCL_C, longer, "-DX"));
    ProgramSources.File file = new ProgramSources.File("a.cl", new byte[8]);
    ProgramSources.File large = new ProgramSources.File("b.cl", longer);
    NativeSources sources = new NativeSources(lane, control, programs);
    tolerated(() -> sources.load(CONTEXT, 1, List.of(file), List.of(), "-DX"));
    tolerated(() -> sources.load(CONTEXT, 1, List.of(file), List.of(large), "-DX"));
    tolerated(() -> new NativeKernels(control).kernels(1));
    tolerated(() -> new NativeReports(control).caps());
    tolerated(() -> new NativeReports(control).counters(CONTEXT));
    try (NativeDevice device =
        new NativeDevice(
            lane,
            control,
            new Negotiation(INFO, Set.of(), false, false, List.of()),
            (a, b, c, d, e, f) -> 0,
            (tag, ns) -> {})) {
      tolerated(() -> device.createContext(CONTEXT, ARGS));
      tolerated(() -> device.allocate(CONTEXT, 1, PAGE));
      tolerated(device::utilization);
      tolerated(device::power);
      tolerated(() -> new NativePower(control).states());
      tolerated(() -> new NativeHealth(control).read());
      tolerated(() -> new NativeRetirement(control).faulty());
      NativeDisplay display = new NativeDisplay(control);
      tolerated(display::connectors);
      tolerated(() -> display.modes(1));
      tolerated(() -> display.edid(1));
      tolerated(() -> display.connected(1));
      tolerated(() -> display.flip(1, 1));
      tolerated(() -> new NativeScanout(control).status(1));
      tolerated(() -> new NativeScanout(control).read(1, 0, 3));
      tolerated(
          () ->
              new NativeMigration(control)
                  .migrate(
                      CONTEXT,
                      List.of(new PageMigration.Page(1, 0)),
                      PageMigration.Location.CPU,
                      0));
    }
  }

  private static TestLane allocating(int segment, long offset, long size) {
    return new TestLane() {
      @Override
      MemorySegment body() {
        MemorySegment body =
            MemorySegment.ofArray(new byte[(int) WireStructs.ALLOC_RESPONSE.size()]);
        WireStructs.ALLOC_RESPONSE.set(body, "segment", segment);
        WireStructs.ALLOC_RESPONSE.set(body, "offset", offset);
        WireStructs.ALLOC_RESPONSE.set(body, "size", size);
        return body;
      }
    };
  }

  private static NativeDevice device(TestLane lane, DeviceInfo info) {
    return new NativeDevice(
        lane,
        new ControlClient(lane),
        new Negotiation(info, Set.of(), false, false, List.of()),
        (a, b, c, d, e, f) -> 0,
        (tag, ns) -> {});
  }

  @Property(tries = 1000)
  void sizesBeyondThoseThatArePossibleEndTheHost(
      @ForAll @LongRange(min = 1, max = 1L << 62) long asked,
      @ForAll long said,
      @ForAll AllocArgs.PageSize pages,
      @ForAll @IntRange(max = 3) int how) {
    long page = pages == AllocArgs.PageSize.HUGE_1G ? 1L << 30 : 2L << 20;
    long rounded = (asked + page - 1) / page * page;
    long size = List.of(said, rounded, rounded + 1, asked - 1).get(how);
    TestLane lane = allocating(0, 0, size);
    try (NativeDevice device = device(lane, INFO)) {
      device.createContext(CONTEXT, ARGS);
      boolean possible = size >= asked && size <= rounded;
      try {
        var ignored = device.allocate(CONTEXT, 1, new AllocArgs(asked, 4096, pages, 0));
        assertTrue(possible, size + " bytes are believed for " + asked);
      } catch (DriverException refused) {
        assertFalse(possible, refused.getMessage());
        assertEquals(Errno.EPROTO, refused.code());
        assertEquals(RecoveryCause.Kind.PROTOCOL, lane.cause().kind());
      }
    }
  }

  @Property(tries = 50)
  void heapsAreNoLargerThanTheMachineAndNoSmallerThanTheLimit(
      @ForAll @LongRange(min = 1L << 50) long said,
      @ForAll @LongRange(min = 1, max = 1 << 24) long most,
      @ForAll boolean limited) {
    long limit = limited ? most : 0;
    List<Long> offered = new ArrayList<>();
    TestLane lane =
        new TestLane() {
          @Override
          public void offerSegment(int segment, int file, MemorySegment memory, boolean writable) {
            offered.add(memory.byteSize());
          }
        };
    try (NativeDevice device = device(lane, withMemory(said))) {
      device.createContext(CONTEXT, new ContextArgs(1, Priority.NORMAL, limit, 0, 0, 0));
    }
    long slack = (4 << 20) + 4096;
    long least = Math.min(HostMemory.BYTES, limit == 0 ? said : Math.min(limit, said));
    assertTrue(offered.getFirst() >= least, offered + " for " + least);
    assertTrue(offered.getFirst() <= least + slack, offered + " for " + least);
  }

  private static DeviceInfo withMemory(long bytes) {
    return new DeviceInfo(
        INFO.deviceClass(), 1, bytes, 4, INFO.preemption(), 4096, 1, false, false, false, false);
  }

  @Test
  void aHeapThatCannotBeLeavesNothingBehind() throws IOException {
    try (Heaps heaps = new Heaps()) {
      long before = descriptors();
      for (int i = 0; i < 20; i++) {
        DriverException refused =
            assertThrows(DriverException.class, () -> heaps.create(CONTEXT, 1L << 62));
        assertEquals(Errno.ENOMEM, refused.code());
        assertThrows(DriverException.class, () -> heaps.create(CONTEXT, -1));
      }
      assertEquals(before, descriptors());
      assertEquals(
          Errno.ENOENT, assertThrows(DriverException.class, () -> heaps.of(CONTEXT)).code());
    }
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(HostileLaneTest::isHeap).count();
    }
  }

  private static boolean isHeap(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().contains("isle-heap");
    } catch (IOException e) {
      // closed by another thread meanwhile
      return false;
    }
  }

  @Test
  void closingFollowsNoHostThatCompletesWithoutEnd() {
    AtomicLong taken = new AtomicLong();
    TestLane lane =
        new TestLane() {
          @Override
          public int poll(int limit, CompletionSink sink) {
            assertTrue(taken.addAndGet(limit) <= DevicePort.MAX_INFLIGHT, "more than is in flight");
            return limit;
          }
        };
    device(lane, INFO).close();
    assertEquals(DevicePort.MAX_INFLIGHT, taken.get());
  }

  @Test
  void aHostThatTakesAnyNameOfAProgramFillsNothing() {
    TestLane lane =
        new TestLane() {
          private int calls;

          @Override
          int result() {
            // each program is loaded, then has no entry
            return calls++ % 2 == 0 ? 0 : -Errno.ENOENT;
          }
        };
    NativePrograms programs = new NativePrograms(lane, new ControlClient(lane), Set.of(), false);
    for (int i = 0; i < 1000; i++) {
      byte[] name = ("program" + i).getBytes(StandardCharsets.UTF_8);
      assertEquals(List.of(), programs.load(CONTEXT, i, Programs.Kind.BUILTIN, name));
    }
    assertEquals(256, programs.known());
    NativePrograms others = new NativePrograms(lane, new ControlClient(lane), Set.of(), false);
    var ignored = others.load(CONTEXT, 1, Programs.Kind.BUILTIN, new byte[64]);
    assertEquals(0, others.known(), "a name is kept that no program has");
  }

  @Test
  void aHostThatDescribesKernelsWithoutEndIsRefused() {
    AtomicLong asked = new AtomicLong();
    TestLane lane =
        new TestLane() {
          @Override
          MemorySegment body() {
            MemorySegment kernel = MemorySegment.ofArray(new byte[(int) KabiStructs.KERNEL.size()]);
            KabiStructs.KERNEL.setText(kernel, "name", "k");
            KabiStructs.KERNEL.set(kernel, "entry", Math.min(255, asked.getAndIncrement()));
            return kernel;
          }
        };
    NativeKernels kernels = new NativeKernels(new ControlClient(lane));
    DriverException refused = assertThrows(DriverException.class, () -> kernels.kernels(1));
    assertEquals(Errno.EPROTO, refused.code());
    assertEquals(257, asked.get());
  }

  @Test
  void aProgramThatTheHostDoesNotKnowIsUnknownToTheCoreToo() {
    TestLane lane =
        new TestLane() {
          @Override
          int result() {
            return -Errno.ESTALE;
          }
        };
    NativeKernels kernels = new NativeKernels(new ControlClient(lane));
    DriverException refused = assertThrows(DriverException.class, () -> kernels.kernels(1));
    assertEquals(Errno.ENOENT, refused.code());
  }

  @Test
  void aDriverThatProbesForeverIsNotWaitedFor() {
    AtomicLong now = new AtomicLong();
    TestLane lane =
        new TestLane() {
          @Override
          MemorySegment body() {
            return MemorySegment.ofArray(new byte[(int) KabiStructs.DEVICE_SEED.size()]);
          }

          @Override
          public byte[] control(MemorySegment request, long timeoutNs) {
            long takes = TimeUnit.SECONDS.toNanos(4);
            now.addAndGet(Math.min(takes, timeoutNs));
            return takes > timeoutNs ? new byte[0] : super.control(request, timeoutNs);
          }
        };
    Hello hello = new Hello(new DriverInfo("slow", "1", DriverInfo.KABI, List.of(), true));
    DriverException refused =
        assertThrows(
            DriverException.class, () -> hello.introduce(new ControlClient(lane), now::get));
    assertEquals(Errno.ETIMEDOUT, refused.code());
    assertEquals(TimeUnit.SECONDS.toNanos(10), now.get());
  }

  @Property(tries = 500)
  void memoryOutsideTheHeapEndsTheHost(
      @ForAll long offset, @ForAll long size, @ForAll @IntRange(max = 20) int segment) {
    TestLane lane = allocating(segment, offset, size);
    try (NativeDevice device =
        new NativeDevice(
            lane,
            new ControlClient(lane),
            new Negotiation(INFO, Set.of(), false, false, List.of()),
            (a, b, c, d, e, f) -> 0,
            (tag, ns) -> {})) {
      device.createContext(CONTEXT, ARGS);
      try {
        var memory = device.allocate(CONTEXT, 1, PAGE);
        assertTrue(size >= PAGE.size() && size <= 2 << 20, size + " bytes are believed");
        assertTrue(segment == 0 || memory.cpu().orElseThrow().byteSize() == size);
      } catch (DriverException refused) {
        assertEquals(Errno.EPROTO, refused.code());
        assertFalse(lane.alive());
      }
    }
  }

  @Test
  void anAnswerToAnotherQuestionEndsTheHost() {
    TestLane lane =
        new TestLane() {
          @Override
          public long nextSeq() {
            return 77;
          }
        };
    DriverException refused =
        assertThrows(
            DriverException.class, () -> new ControlClient(lane).call(ControlOp.RESET_DEVICE));
    assertEquals(Errno.EPROTO, refused.code());
    assertFalse(lane.alive());
  }

  @Test
  void aSilentHostIsAHangAndIsGivenUp() {
    TestLane lane =
        new TestLane() {
          @Override
          public byte[] control(MemorySegment request, long timeoutNs) {
            return new byte[0];
          }
        };
    DriverException refused =
        assertThrows(
            DriverException.class, () -> new ControlClient(lane).call(ControlOp.RESET_DEVICE));
    assertEquals(Errno.ETIMEDOUT, refused.code());
    assertFalse(lane.alive());
  }

  @Test
  void aRefusalKeepsItsCodeAndItsText() {
    TestLane lane =
        new TestLane() {
          @Override
          int result() {
            return -Errno.ENOSPC;
          }

          @Override
          MemorySegment body() {
            return MemorySegment.ofArray(
                "all\n4 are taken".getBytes(java.nio.charset.StandardCharsets.UTF_8));
          }
        };
    DriverException refused =
        assertThrows(
            DriverException.class, () -> new ControlClient(lane).call(ControlOp.RESET_DEVICE));
    assertEquals(Errno.ENOSPC, refused.code());
    assertTrue(refused.getMessage().endsWith("ENOSPC: all 4 are taken"), refused.getMessage());
  }

  @Test
  void aRequestThatIsTooLongIsRefusedBeforeItIsSent() {
    ControlClient control = new ControlClient(new TestLane());
    MemorySegment body = MemorySegment.ofArray(new byte[ChannelLayout.CONTROL_BYTES]);
    DriverException refused =
        assertThrows(DriverException.class, () -> control.call(ControlOp.OPEN, body));
    assertEquals(Errno.EMSGSIZE, refused.code());
  }
}
