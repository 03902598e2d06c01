package io.isle.drivers.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.ArgumentKind;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Kernel;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.ProgramEntry.Argument;
import io.isle.api.driver.ProgramEntry.Kind;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class SimCompilerTest {
  private static SimProgram compile(String source) {
    return SimCompiler.compile(source, "");
  }

  private static void refused(String why, String source) {
    DriverException refusal = assertThrows(DriverException.class, () -> compile(source));
    assertEquals(Errno.EINVAL, refusal.code());
    assertTrue(refusal.getMessage().contains(why), refusal.getMessage());
  }

  @Test
  void signaturesBecomeEntries() {
    SimProgram program =
        compile(
            """
            // __kernel void no() {}
            #define TWO_LINES \\
              __kernel void neither() {}
            /* nor __kernel void this() {} */
            static int helper(int a) { if (a) { return '}'; } return "}{\\""[0]; }
            __kernel void busy(const ulong us) { for (;;) { } }
            kernel void copy(__global const uchar *restrict src, __global uchar *dst) {}
            __kernel void noop(void) {}
            """);
    assertEquals(
        List.of(
            new ProgramEntry("busy", 0, List.of(new Argument(Kind.U64, 0))),
            new ProgramEntry(
                "copy", 1, List.of(new Argument(Kind.BUFFER, 1), new Argument(Kind.BUFFER, 3))),
            new ProgramEntry("noop", 2, List.of())),
        program.entries());
    assertEquals(List.of(Builtin.BUSY, Builtin.COPY, Builtin.NOOP), program.bodies());
  }

  @Test
  void kernelsAreDescribedAndThoseForLaunchesStandLast() {
    SimProgram program =
        compile(
            """
            struct pair { char number; double fraction; };
            kernel void turn(global const uint *from, global uint *to, local uint *room)
            { room[get_local_id(0)] = 1; }
            kernel void join(global uchar *to, float3 v, struct pair p) {}
            kernel void seen(read_only image2d_t picture) {}
            kernel __attribute__((reqd_work_group_size(4, 2, 1))) void ids(global uint *to)
            { to[get_local_id(0)] = 1; }
            """);
    assertEquals(List.of("ids"), program.entries().stream().map(ProgramEntry::name).toList());
    assertEquals(
        List.of("ids", "turn", "join", "seen"),
        program.kernels().stream().map(Kernel::name).toList());
    assertEquals(List.of(0, 1, 2, 3), program.kernels().stream().map(Kernel::entry).toList());
    Kernel ids = program.kernels().getFirst();
    assertEquals(List.of(4, 2, 1), ids.groupSize());
    assertEquals("", ids.needsGroupSize(), "it has one of its own");
    assertEquals("an argument of turn in local memory", program.kernels().get(1).needsGroupSize());
    assertEquals(
        List.of(0, 16, 16),
        program.kernels().get(2).arguments().stream()
            .map(
                argument ->
                    argument.kind().orElseThrow() == ArgumentKind.BYTES ? argument.bytes() : 0)
            .toList());
    assertEquals("argument 0 is an image", program.kernels().get(3).unusable());
    assertEquals(Sample.TURN, program.bodies().get(1));
    Kernel word =
        compile("kernel void ids(global uint *to) {\n barrier(1); }").kernels().getFirst();
    assertEquals("barrier in kernel ids, line 2", word.needsGroupSize());
    refused("no kernel can be used: argument 0 is an image", "kernel void a(image2d_t b) {}");
    refused("needs three numbers", "kernel __attribute__((reqd_work_group_size(4))) void ids(");
    refused("at most 1024", "kernel __attribute__((reqd_work_group_size(64, 64, 1))) void a(");
    refused("( without )", "kernel __attribute__((");
    refused("the arguments differ", "kernel void ids(global uint *to, uint more) {}");
  }

  @Test
  void mistakesAreToldWithTheirLine() {
    refused("line 1: error: the source has no kernel", "int x;");
    refused("line 2: error: kernel other", "\n__kernel void other() {}");
    refused("must return void", "__kernel int noop() {}");
    refused("line 1: error: { without }", "__kernel void noop() {\n\n{ }");
    refused("line 3: error: unexpected }", "\n\n}");
    refused("line 8: error: unexpected }", "#line 7 \"a.cl\"\n\n}");
    refused(") is expected", "__kernel void noop(");
    refused("{ is expected", "__kernel void noop();");
    refused("type that this compiler does not know", "__kernel void busy(half x) {}");
    refused("type that this compiler does not know", "__kernel void copy(, __global uchar *b) {}");
    refused("the arguments differ", "__kernel void busy(uint us) {}");
    refused("the arguments differ", "__kernel void fill(__global const uchar *p, uint v) {}");
    refused("name and ( are expected", "__kernel void (");
    refused("error", "there is no such language as this one {");
  }

  @Test
  void optionsAreThoseOfCompilers() {
    for (String good : List.of("", " ", "-DX=1", "-D X -w", "-cl-fast-relaxed-math -DY")) {
      assertEquals(1, SimCompiler.compile("kernel void noop() {}", good).entries().size());
    }
    assertThrows(
        DriverException.class, () -> SimCompiler.compile("kernel void noop() {}", "--what"));
  }

  @Property
  void anySourceEndsWithAProgramOrARefusal(@ForAll String source) {
    attempt(source);
  }

  @Property
  void anyMixOfPunctuationDoes(
      @ForAll
          @Chars({'{', '}', '(', ')', ',', '*', '/', '#', '\\', '\n', '"', '\'', 'a', ' '})
          @StringLength(max = 60)
          String noise) {
    attempt("kernel void noop(" + noise);
    attempt(noise + "kernel void noop() {}" + noise);
  }

  private static void attempt(String source) {
    try {
      assertTrue(compile(source).entries().size() > 0);
    } catch (DriverException e) {
      assertEquals(Errno.EINVAL, e.code());
      assertTrue(e.getMessage().matches("(?s)line \\d+: error: .*"), e.getMessage());
    }
  }
}
