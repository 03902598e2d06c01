package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelException;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramKind;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.base.Ids;
import io.isle.api.driver.ArgumentKind;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Kernel;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.ProgramEntry.Argument;
import io.isle.api.driver.ProgramEntry.Kind;
import io.isle.api.driver.Programs;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.accel.context.ContextPrograms;
import io.isle.core.accel.ids.SourceBudget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs from source: what devices are asked, what tenants are told, and what is kept. */
@Timeout(60)
class ProgramsTest {
  static final String SOURCE = "__kernel void scale(__global float *p, float by) {}";
  static final List<ProgramEntry> SCALE =
      List.of(
          new ProgramEntry(
              "scale", 0, List.of(new Argument(Kind.BUFFER, 2), new Argument(Kind.F32, 0))));

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

  static AccelException refused(int code, Runnable call) {
    AccelException refusal = assertThrows(AccelException.class, call::run);
    assertEquals(code, refusal.code(), refusal.getMessage());
    return refusal;
  }

  @Test
  void aSourceReachesTheCompilerWithItsOptions() {
    fixture.device.compiler = this::scale;
    Context context = fixture.context();
    Program program = context.load(new ProgramSource.OpenClC(SOURCE, "-DX=1"));
    assertEquals(List.of("OPENCL_C " + SOURCE + " -DX=1"), builds);
    assertEquals(List.of(new Program.Entry("scale", List.of("buffer", "f32"))), program.entries());
    AccelAdmin.ProgramInfo info = new AdminView(fixture.core).programs().getFirst();
    assertEquals(
        new AccelAdmin.ProgramInfo(
            Ids.text(program.id()),
            "sim0",
            Ids.text(context.id()),
            "test",
            ProgramKind.OPENCL_C,
            "",
            SOURCE.length(),
            "-DX=1",
            List.of("scale(buffer, f32)")),
        info);
    program.close();
    assertTrue(fixture.device.programs.isEmpty());
    assertEquals(List.of(), new AdminView(fixture.core).programs());
  }

  @Test
  void aKindThatTheDeviceDoesNotTakeIsNotAskedFor() {
    Context context = fixture.context();
    String why =
        refused(Errno.ENOTSUP, () -> context.load(new ProgramSource.Ptx(new byte[] {'x'})))
            .getMessage();
    assertTrue(why.contains("no ptx") && why.contains("builtin, opencl_c"), why);
    assertEquals(List.of(), builds);
    assertEquals(
        List.of(ProgramKind.BUILTIN, ProgramKind.OPENCL_C),
        fixture.accelerator().info().programKinds());
    assertEquals(Errno.EINVAL, refused(Errno.EINVAL, () -> context.load(null)).code());
  }

  @Test
  void aFailedBuildTellsItsLogWithoutControlCharacters() {
    fixture.device.compiler =
        (kind, source, options) -> {
          throw new DriverException(
              Errno.EINVAL,
              "line 1: \u001b[31merror\u001b[0m:\r\n\tno\u0000 type\u2028" + "x".repeat(20_000));
        };
    Context context = fixture.context();
    String log =
        refused(Errno.EINVAL, () -> context.load(new ProgramSource.OpenClC(SOURCE))).getMessage();
    assertTrue(log.contains("opencl_c of 51 bytes"), log);
    assertTrue(log.contains("line 1: error:\n\tno? type?x"), log.substring(0, 200));
    assertTrue(log.length() < ForeignText.MAX_LOG + 50, "length " + log.length());
    assertTrue(log.endsWith("characters more)"), log.substring(log.length() - 50));
    assertTrue(fixture.device.programs.isEmpty());
    fixture.device.compiler = this::scale;
    context.load(new ProgramSource.OpenClC(SOURCE)).close();
  }

  /** The closing was faster: the driver says that it has no such context. */
  @Test
  void aLoadThatAClosingOvertookSaysThatTheContextIsClosed() throws Exception {
    Context context = fixture.context();
    List<Thread> closing = new ArrayList<>();
    fixture.device.compiler =
        (kind, source, options) -> {
          closing.add(Thread.ofPlatform().start(context::close));
          while (context.awaitUsable(0) == 0) {
            Thread.onSpinWait();
          }
          throw new DriverException(Errno.ESTALE, "no such context");
        };
    String why =
        refused(Errno.ECLOSED, () -> context.load(new ProgramSource.OpenClC(SOURCE))).getMessage();
    assertTrue(why.contains("closed"), why);
    closing.getFirst().join();
  }

  @Test
  void whatADriverDescribesIsCheckedAndUnloadedAgain() {
    Context context = fixture.context();
    ProgramEntry one = SCALE.getFirst();
    List<List<ProgramEntry>> impossible =
        List.of(
            List.of(one, one),
            List.of(new ProgramEntry("a", -1, List.of())),
            List.of(new ProgramEntry("a", 1, List.of())),
            Collections.nCopies(257, one),
            List.of(new ProgramEntry(null, 0, List.of())),
            List.of(new ProgramEntry("a", 0, Collections.nCopies(17, new Argument(Kind.U32, 0)))),
            List.of(new ProgramEntry("a", 0, List.of(new Argument(null, 0)))),
            List.of(new ProgramEntry("a", 0, List.of(new Argument(Kind.BUFFER, 4)))));
    for (List<ProgramEntry> entries : impossible) {
      fixture.device.compiler = (kind, source, options) -> entries;
      refused(Errno.EPROTO, () -> context.load(new ProgramSource.OpenClC(SOURCE)));
      assertTrue(fixture.device.programs.isEmpty(), entries::toString);
    }
    fixture.device.compiler = (kind, source, options) -> null;
    refused(Errno.EPROTO, () -> context.load(new ProgramSource.OpenClC(SOURCE)));
  }

  @Test
  void kernelsThatADriverDescribesAreCheckedAndUnloadedAgain() {
    fixture.crash();
    fixture.recoverWith(TestKernels.device(fixture));
    Context context = fixture.context();
    List<Kernel> all = TestKernels.all();
    Kernel scale = all.getFirst();
    Kernel fixed = all.get(1);
    List<List<Kernel>> impossible =
        List.of(
            List.of(scale),
            List.of(fixed, scale),
            List.of(scale, TestKernels.kernel("fixed", 1, TestKernels.BUFFER)),
            List.of(scale, TestKernels.kernel("other", 1, argumentsOf(fixed))),
            List.of(scale, TestKernels.kernel("fixed", 2, argumentsOf(fixed))),
            List.of(scale, new Kernel("fixed", 1, List.of(), 0, 0, 0, "", "it cannot", List.of())),
            Collections.nCopies(257, scale),
            Arrays.asList(scale, fixed, null));
    for (List<Kernel> kernels : impossible) {
      fixture.device.kernels = kernels;
      refused(Errno.EPROTO, () -> context.load(new ProgramSource.OpenClC(SOURCE)));
      assertTrue(fixture.device.programs.isEmpty(), kernels::toString);
    }
    fixture.device.kernels = all;
    context.load(new ProgramSource.OpenClC(SOURCE)).close();
  }

  private static Kernel.Argument[] argumentsOf(Kernel kernel) {
    return kernel.arguments().toArray(Kernel.Argument[]::new);
  }

  @Test
  void aProgramWhoseKernelsNobodyCanUseIsRefusedWithTheReason() {
    fixture.crash();
    fixture.recoverWith(TestKernels.device(fixture));
    fixture.device.compiler = (kind, source, options) -> List.of();
    fixture.device.kernels =
        List.of(new Kernel("seen", 0, List.of(), 0, 0, 0, "", "argument 0 is an image", List.of()));
    Context context = fixture.context();
    String why =
        refused(Errno.EINVAL, () -> context.load(new ProgramSource.OpenClC(SOURCE))).getMessage();
    assertTrue(why.contains("kernel seen: argument 0 is an image"), why);
    assertTrue(fixture.device.programs.isEmpty());
    fixture.device.kernels = List.of(TestKernels.kernel("tile", 0, TestKernels.LOCAL));
    Program program = context.load(new ProgramSource.OpenClC(SOURCE));
    assertEquals(List.of(), program.entries());
    assertEquals(1, program.kernels().size());
  }

  @Test
  void kernelsOfABuiltinAreAskedForOnceInAnOpening() {
    ScriptedDevice device = TestKernels.device(fixture);
    device.kernels =
        List.of(
            TestKernels.kernel(
                "sum",
                0,
                TestKernels.buffer(1),
                TestKernels.number(ArgumentKind.U64, 8),
                TestKernels.buffer(2)));
    fixture.crash();
    fixture.recoverWith(device);
    Context context = fixture.context();
    assertEquals(1, context.load(new ProgramSource.Builtin("sum")).kernels().size());
    assertEquals(1, context.load(new ProgramSource.Builtin("sum")).kernels().size());
    assertEquals(1, device.described.get());
  }

  @Test
  void entriesStandInTheOrderOfTheirNumbers() {
    ProgramEntry first = new ProgramEntry("first", 0, List.of());
    ProgramEntry second = new ProgramEntry("second", 1, List.of(new Argument(Kind.I64, 0)));
    fixture.device.compiler = (kind, source, options) -> List.of(second, first);
    fixture.device.completeAtOnce = true;
    Context context = fixture.context();
    Program program = context.load(new ProgramSource.OpenClC(SOURCE));
    assertEquals(
        List.of(new Program.Entry("first", List.of()), new Program.Entry("second", List.of("i64"))),
        program.entries());
    long point = context.submit(context.writer().dispatch(program, 1, 1, 1, 1).argI64(7));
    assertEquals(0, context.await(point, -1));
  }

  @Test
  void aCapabilityMustAllowComputingStill() {
    Capability some = fixture.capabilities.grant("test", Set.of(Permission.ACCEL_COMPUTE), 0);
    Context context = fixture.accelerator().open(some, ContextSpec.named("revoked"));
    ProgramSource sum = new ProgramSource.Builtin("sum");
    context.load(sum).close();
    fixture.capabilities.revoke(some);
    TenancyException refusal = assertThrows(TenancyException.class, () -> context.load(sum));
    assertEquals(Errno.EREVOKED, refusal.code());
    assertTrue(fixture.device.programs.isEmpty());
  }

  @Test
  void programsOfAContextAreCountedAndGivenBack() {
    ProgramSource sum = new ProgramSource.Builtin("sum");
    ProgramSource unknown = new ProgramSource.Builtin("unknown");
    Context context = fixture.context();
    for (int i = 1; i < ContextPrograms.MAX_PROGRAMS; i++) {
      context.load(sum);
    }
    refused(Errno.ENOENT, () -> context.load(unknown));
    Program last = context.load(sum);
    String why = refused(Errno.ENOSPC, () -> context.load(sum)).getMessage();
    assertTrue(why.contains("" + ContextPrograms.MAX_PROGRAMS), why);
    assertEquals(ContextPrograms.MAX_PROGRAMS, fixture.device.programs.size());
    last.close();
    context.load(sum);
    fixture.context().load(sum);
  }

  @Test
  void keptBytesOfATenantAreBoundedAndGivenBack() {
    fixture.device.compiler = (kind, source, options) -> SCALE;
    ProgramSource longest =
        new ProgramSource.OpenClC("x".repeat(ProgramSource.MAX_SOURCE_BYTES), "-DX");
    Context context = fixture.context();
    Context second = fixture.context();
    List<Program> loaded = new ArrayList<>();
    long most = SourceBudget.TENANT_BYTES / (longest.size() + 3);
    for (long i = 0; i < most; i++) {
      loaded.add((i % 2 == 0 ? context : second).load(longest));
    }
    String why = refused(Errno.ENOSPC, () -> context.load(longest)).getMessage();
    assertTrue(why.contains("tenant test") && why.contains("" + SourceBudget.TENANT_BYTES), why);
    Capability others = fixture.capabilities.grant("other", Set.of(Permission.ACCEL_COMPUTE), 0);
    fixture.accelerator().open(others, ContextSpec.named("other")).load(longest);
    loaded.removeFirst().close();
    context.load(longest);
    second.close();
    context.load(longest);
  }

  @Test
  void theBudgetOfTheNodeIsAskedToo() {
    SourceBudget budget = new SourceBudget(7, 10);
    budget.take("a", 7);
    assertTrue(
        refused(Errno.ENOSPC, () -> budget.take("a", 1)).getMessage().contains("7 of at most 7"));
    budget.take("b", 3);
    assertTrue(
        refused(Errno.ENOSPC, () -> budget.take("b", 1)).getMessage().contains("10 of at most 10"));
    budget.give("a", 2);
    budget.take("b", 2);
    budget.give("a", 5);
    budget.take("c", 5);
    refused(Errno.ENOSPC, () -> budget.take("c", Long.MAX_VALUE));
  }
}
