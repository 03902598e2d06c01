package io.isle.core.accel;

import static io.isle.core.accel.ProgramsTest.SCALE;
import static io.isle.core.accel.ProgramsTest.SOURCE;
import static io.isle.core.accel.ProgramsTest.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Kernel;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.Programs;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs from source over the devices that have them. */
@Timeout(60)
class ProgramRebuildTest {
  private final Fixture fixture = new Fixture();
  private final List<String> builds = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    fixture.close();
  }

  private List<ProgramEntry> scale(Programs.Kind kind, String source, String options) {
    builds.add(kind + " " + source + " " + options);
    return SCALE;
  }

  @Test
  void theNextDeviceBuildsThemAgain() {
    builtAgainAfter(fixture::crash);
  }

  @Test
  void anUpdateBuildsThemAgainToo() {
    builtAgainAfter(fixture::replace);
  }

  @Test
  void theNextOwnerOfDriversHasThemBuiltAgain() {
    builtAgainAfter(
        () -> {
          fixture.crash();
          fixture.attachment.detach("the driver service stopped");
          fixture.attachAgain();
        });
  }

  private void builtAgainAfter(Runnable loss) {
    fixture.device.compiler = this::scale;
    Context context = fixture.context();
    Program program = context.load(new ProgramSource.OpenClC(SOURCE, "-w"));
    Buffer buffer = context.allocate(64, 0);
    loss.run();
    ScriptedDevice next = new ScriptedDevice(fixture.attachment.completions());
    next.compiler = this::scale;
    next.completeAtOnce = true;
    assertEquals(1, fixture.recover(next).contexts());
    assertEquals(0, context.awaitUsable(0));
    assertEquals(Collections.nCopies(2, "OPENCL_C " + SOURCE + " -w"), builds);
    assertEquals(Set.of(program.id()), next.programs);
    CommandWriter writer = context.writer();
    int use = writer.use(buffer, 0, 64, Buffer.WRITE);
    long point = context.submit(writer.dispatch(program, 0, 1, 1, 1).arg(use).argF32(2));
    assertEquals(0, context.await(point, -1));
  }

  @Test
  void aContextWhoseProgramCannotBeBuiltAgainIsLostAndSaysWhy() {
    fixture.device.compiler = this::scale;
    Context unlucky = fixture.context();
    unlucky.load(new ProgramSource.OpenClC(SOURCE));
    Context other = fixture.context();
    other.load(new ProgramSource.Builtin("sum"));
    fixture.crash();
    ScriptedDevice next = new ScriptedDevice(fixture.attachment.completions());
    next.compiler =
        (kind, source, options) -> {
          throw new DriverException(Errno.EINVAL, "line 1: error\nline 2: another");
        };
    assertEquals(1, fixture.recover(next).contexts());
    assertEquals(-Errno.ENODEV, unlucky.awaitUsable(0));
    assertEquals(0, other.awaitUsable(0));
    assertFalse(next.contexts.containsKey(unlucky.id()));
    assertTrue(next.contexts.containsKey(other.id()));
    String why = refused(Errno.ENODEV, () -> unlucky.allocate(1, 0)).getMessage();
    assertTrue(why.contains("line 1: error; line 2: another"), why);
    unlucky.close();
    assertEquals(1, new AdminView(fixture.core).programs().size(), "the other's");
  }

  @Test
  void aContextIsLostWhenTheNextDeviceTakesNoProgramsOfItsKind() {
    Context context = fixture.context();
    context.load(new ProgramSource.OpenClC(SOURCE));
    fixture.crash();
    ScriptedDevice next = new ScriptedDevice(fixture.attachment.completions());
    next.kinds = Set.of(Programs.Kind.BUILTIN);
    assertEquals(0, fixture.recover(next).contexts());
    String why = refused(Errno.ENODEV, () -> context.allocate(1, 0)).getMessage();
    assertTrue(why.contains("accepts no opencl_c"), why);
  }

  @Test
  void aBuildWithOtherEntriesThanBeforeLosesTheContext() {
    fixture.device.compiler = this::scale;
    Context context = fixture.context();
    context.load(new ProgramSource.OpenClC(SOURCE));
    fixture.crash();
    assertEquals(0, fixture.recover().contexts());
    String why = refused(Errno.ENODEV, () -> context.allocate(1, 0)).getMessage();
    assertTrue(why.contains("opencl_c of 51 bytes: the program has other entries"), why);
  }

  @Test
  void otherKernelsThanBeforeLoseTheContextAndTheSameDoNot() {
    fixture.crash();
    fixture.recoverWith(TestKernels.device(fixture));
    Context context = fixture.context();
    context.load(new ProgramSource.OpenClC(SOURCE));
    fixture.crash();
    ScriptedDevice same = TestKernels.device(fixture);
    assertEquals(1, fixture.recover(same).contexts());
    assertEquals(0, context.awaitUsable(0));
    fixture.crash();
    ScriptedDevice other = TestKernels.device(fixture);
    List<Kernel> fewer = new ArrayList<>(TestKernels.all());
    fewer.removeLast();
    other.kernels = fewer;
    assertEquals(0, fixture.recover(other).contexts());
    String why = refused(Errno.ENODEV, () -> context.allocate(1, 0)).getMessage();
    assertTrue(why.contains("the program has other entries or kernels"), why);
  }

  @Test
  void aDriverThatDescribesNoKernelsAnyMoreLosesTheContextAndOneThatBeginsToDoesNot() {
    fixture.device.compiler = (kind, source, options) -> TestKernels.entries();
    Context context = fixture.context();
    Program program = context.load(new ProgramSource.OpenClC(SOURCE));
    assertEquals(List.of(), program.kernels());
    fixture.crash();
    assertEquals(1, fixture.recover(TestKernels.device(fixture)).contexts());
    assertEquals(0, context.awaitUsable(0));
    Program described = context.load(new ProgramSource.OpenClC(SOURCE));
    assertEquals(6, described.kernels().size());
    fixture.crash();
    ScriptedDevice plain = TestKernels.device(fixture);
    plain.kernels = null;
    assertEquals(0, fixture.recover(plain).contexts());
    assertEquals(-Errno.ENODEV, context.awaitUsable(0));
  }

  /** A device that ends in the build of {@code SOURCE}. */
  private ScriptedDevice fragile() {
    ScriptedDevice device = new ScriptedDevice(fixture.attachment.completions());
    device.compiler =
        (kind, source, options) -> {
          if (source.equals(SOURCE)) {
            device.alive = false;
            throw new DriverException(Errno.ENODEV, "the driver host was killed");
          }
          return SCALE;
        };
    return device;
  }

  private ScriptedDevice sturdy() {
    ScriptedDevice device = new ScriptedDevice(fixture.attachment.completions());
    device.compiler = this::scale;
    return device;
  }

  @Test
  void aProgramThatEndsTheDriverLosesItsContextAlone() {
    fixture.device.compiler = this::scale;
    Context poisonous = fixture.context();
    poisonous.load(new ProgramSource.OpenClC(SOURCE));
    Context other = fixture.context();
    other.load(new ProgramSource.OpenClC("__kernel void good() {}"));
    fixture.crash();
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThrows(DriverException.class, () -> fixture.recover(fragile()));
      assertEquals(-Errno.ETIME, poisonous.awaitUsable(0));
    }
    builds.clear();
    assertEquals(1, fixture.recover(sturdy()).contexts());
    assertEquals(List.of("OPENCL_C __kernel void good() {} "), builds);
    assertEquals(0, other.awaitUsable(0));
    String why = refused(Errno.ENODEV, () -> poisonous.allocate(1, 0)).getMessage();
    assertTrue(why.contains("opencl_c of 51 bytes: no further build"), why);
  }

  @Test
  void oneDeviceThatEndsInABuildIsNotHeldAgainstTheProgram() {
    fixture.device.compiler = this::scale;
    Context context = fixture.context();
    context.load(new ProgramSource.OpenClC(SOURCE));
    for (int crash = 0; crash < 3; crash++) {
      fixture.crash();
      assertThrows(DriverException.class, () -> fixture.recover(fragile()));
      assertEquals(1, fixture.recover(sturdy()).contexts());
      assertEquals(0, context.awaitUsable(0));
    }
  }

  /** A tenant that tries again and again must not keep the device from the others. */
  @Test
  void aSourceThatEndedTwoDriversIsNotBuiltByAThird() {
    Context context = fixture.context();
    ProgramSource source = new ProgramSource.OpenClC(SOURCE);
    ProgramSource good = new ProgramSource.OpenClC("__kernel void good() {}");
    for (int round = 0; round < 2; round++) {
      fixture.crash();
      assertEquals(1, fixture.recover(fragile()).contexts());
      refused(Errno.EINTR, () -> context.load(source));
    }
    fixture.crash();
    assertEquals(1, fixture.recover(sturdy()).contexts());
    String why = refused(Errno.EINVAL, () -> context.load(source)).getMessage();
    assertTrue(why.contains("the last 2 builds crashed the driver"), why);
    assertEquals(List.of(), builds);
    context.load(new ProgramSource.Builtin("sum"));
    fixture.context().load(good);
  }

  @Test
  void aBuildThatEndsWellOrIsRefusedForgetsThoseThatDidNot() {
    Context context = fixture.context();
    ProgramSource source = new ProgramSource.OpenClC(SOURCE);
    ProgramSource good = new ProgramSource.OpenClC("__kernel void good() {}");
    for (int round = 0; round < 4; round++) {
      fixture.crash();
      assertEquals(1, fixture.recover(fragile()).contexts());
      refused(Errno.EINTR, () -> context.load(source));
      fixture.crash();
      ScriptedDevice next = sturdy();
      assertEquals(1, fixture.recover(next).contexts());
      if (round % 2 == 0) {
        context.load(good).close();
      } else {
        next.compiler =
            (kind, text, options) -> {
              throw new DriverException(Errno.EINVAL, "line 1: error");
            };
        refused(Errno.EINVAL, () -> context.load(good));
      }
    }
  }

  @Test
  void whatIsBuiltWhenTheDeviceIsLostIsNotKept() throws Exception {
    CountDownLatch building = new CountDownLatch(1);
    CountDownLatch lost = new CountDownLatch(1);
    fixture.device.compiler =
        (kind, source, options) -> {
          building.countDown();
          awaitUninterruptibly(lost);
          return SCALE;
        };
    Context context = fixture.context();
    ProgramSource source = new ProgramSource.OpenClC(SOURCE);
    AtomicReference<AccelException> refusal = new AtomicReference<>();
    Thread loader =
        Thread.ofPlatform()
            .start(() -> refusal.set(refused(Errno.EINTR, () -> context.load(source))));
    building.await();
    fixture.crash();
    lost.countDown();
    loader.join();
    assertEquals(Errno.EINTR, refusal.get().code());
    assertEquals(1, fixture.recover().contexts());
    assertEquals(Set.of(), fixture.device.programs);
    assertEquals(List.of(), new AdminView(fixture.core).programs());
    fixture.device.compiler = this::scale;
    assertEquals(0, context.awaitUsable(0));
    context.load(source).close();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
