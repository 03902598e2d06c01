package io.isle.drivers.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.device.Priority;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.Programs;
import io.isle.lib.kabi.CommandOp.Arg;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

/** A good envelope with some of its words replaced: refused or completed, once, without harm. */
class HostileEnvelopePropertyTest {
  private static final long CONTEXT = 1;
  private static final int CANARY = 4096;

  @Property(tries = 1000)
  void noEnvelopeDoesHarm(
      @ForAll @Size(max = 6) List<Integer> places,
      @ForAll @Size(6) List<Integer> values,
      @ForAll int length)
      throws InterruptedException {
    check(Map.of(), places, values, length, HostileEnvelopePropertyTest::dispatch);
  }

  @Property(tries = 1000)
  void noLaunchDoesHarm(
      @ForAll @Size(max = 6) List<Integer> places,
      @ForAll @Size(6) List<Integer> values,
      @ForAll int length,
      @ForAll boolean copies)
      throws InterruptedException {
    Map<String, String> settings = Map.of("compiler", "true", "copies", Boolean.toString(copies));
    check(settings, places, values, length, HostileEnvelopePropertyTest::launch);
  }

  /** Loads a program and writes an envelope that runs it. */
  private interface Writer {
    MemorySegment write(Programs programs, Arena arena);
  }

  private static MemorySegment dispatch(Programs programs, Arena arena) {
    var ignored = programs.load(CONTEXT, 20, Programs.Kind.BUILTIN, utf8("copy"));
    return new Envelope()
        .memory(10, 0, CANARY, 3)
        .memory(10, 0, 64, 2)
        .program(20)
        .dispatch(arena, Arg.BUFFER, 0, Arg.BUFFER, 1);
  }

  private static MemorySegment launch(Programs programs, Arena arena) {
    String source =
        "kernel void turn(global const uint *a, global uint *b, local uint *c) {}"
            + "struct two { uint a; uint b; }; kernel void join(global uint *a, uint2 b,"
            + " struct two c) {} kernel void ids(global uint *a) {}";
    var ignored = programs.load(CONTEXT, 20, Programs.Kind.OPENCL_C, utf8(source));
    return new Envelope()
        .memory(10, 0, CANARY, 3)
        .memory(10, 0, 64, 2)
        .program(20)
        .launch(arena, 16, Arg.BUFFER, 0, 0, Arg.BUFFER, 1, 0, Arg.LOCAL, 0, 64);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void check(
      Map<String, String> settings,
      List<Integer> places,
      List<Integer> values,
      int length,
      Writer writer)
      throws InterruptedException {
    try (FakeCore core = new FakeCore();
        Arena arena = Arena.ofShared();
        AccelDevice device = new SimDriver().open(new DeviceSeed("sim0", "", ""), settings, core)) {
      device.createContext(CONTEXT, new ContextArgs(1, Priority.NORMAL, 0, 0, 0, 0));
      AllocArgs args =
          new AllocArgs(CANARY, 64, AllocArgs.PageSize.STANDARD, AllocArgs.CPU_VISIBLE);
      device.allocate(CONTEXT, 10, args);
      MemorySegment other = device.allocate(CONTEXT, 11, args).cpu().orElseThrow();
      MemorySegment envelope = writer.write(device.extension(Programs.class).orElseThrow(), arena);
      for (int i = 0; i < places.size(); i++) {
        long words = envelope.byteSize() / 4;
        envelope.setAtIndex(
            ValueLayout.JAVA_INT, Math.floorMod(places.get(i), words), values.get(i));
      }
      int shown = length % 3 == 0 ? length : (int) envelope.byteSize();
      int code = device.submit(CONTEXT, 7, envelope, 0, shown);
      assertTrue(code <= 0);
      if (code == 0) {
        FakeCore.Done done = core.done.poll(20, TimeUnit.SECONDS);
        assertEquals(7, done.tag());
      }
      assertEquals(-1, other.mismatch(MemorySegment.ofArray(new byte[CANARY])));
      device.destroyContext(CONTEXT);
      assertTrue(core.done.isEmpty());
      assertEquals(0, core.sharedPieces());
    }
  }
}
