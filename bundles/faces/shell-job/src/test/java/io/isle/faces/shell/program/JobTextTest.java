package io.isle.faces.shell.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.ArgumentKind;
import io.isle.api.accel.KernelInfo;
import io.isle.api.accel.KernelInfo.Argument;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobTextTest {
  private static final JobText.Named FILE =
      new JobText.Named("{file: \"sum.cl\", kernel: \"sum\"}", "");

  private static Argument buffer(String name, String type, int access, int bytes, int lanes) {
    return new Argument(
        name,
        type,
        Optional.of(ArgumentKind.BUFFER),
        access,
        bytes,
        lanes == 0 ? Optional.empty() : Optional.of(ArgumentKind.F32),
        lanes);
  }

  private static Argument of(
      String name, String type, ArgumentKind kind, int bytes, ArgumentKind element, int lanes) {
    return new Argument(
        name, type, Optional.of(kind), 0, bytes, Optional.ofNullable(element), lanes);
  }

  private static KernelInfo kernel(List<Integer> required, String needs, Argument... arguments) {
    return new KernelInfo("sum", 0, required, 32, 0, 0, needs, "", List.of(arguments));
  }

  private static String text(KernelInfo kernel) {
    return JobText.of("sum", FILE, kernel).orElseThrow();
  }

  private static void has(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), () -> part + " is not in\n" + text);
    }
  }

  @Test
  void everyArgumentIsThereAndNamed() {
    assertEquals(
        """
        # Runs kernel sum: ./isle run sum.yml --set x=FILE --set sums=FILE
        # Written from the kernel's description. Types, shapes, values and sizes are a start: change what the kernel needs otherwise.
        job: sum

        params:
          x: {type: file}
          sums: {type: out}

        device: any

        steps:
          - name: sum
            program: {file: "sum.cl", kernel: "sum"}
            in:                                # read by the kernel
              x: {file: "${x}", type: f32, shape: [n]}
            out:                               # begin as zeros; a buffer that the kernel only reads belongs under 'in'
              sums: {file: "${sums}", type: f32, shape: [n]}
            args:                              # all arguments of the kernel, in its order
              - x                              # 0: float* x
              - sums                           # 1: float* sums
              - {local: 4 * local_x}           # 2: float* part; 4 bytes for each work item of a group
              - n                              # 3: uint n
              - 0                              # 4: float factor
            local: [32]                        # needed for barrier in function sum, line 4
            size: [local_x * ceil(n / local_x)] # work items, a multiple of local
        """,
        text(
            kernel(
                List.of(),
                "barrier in function sum, line 4",
                buffer("x", "float*", 1, 4, 1),
                buffer("sums", "float*", 3, 4, 1),
                of("part", "float*", ArgumentKind.LOCAL, 4, ArgumentKind.F32, 1),
                of("n", "uint", ArgumentKind.U32, 4, ArgumentKind.U32, 1),
                of("factor", "float", ArgumentKind.F32, 4, ArgumentKind.F32, 1))));
  }

  @Test
  void withoutAnInputTheFirstBufferIsChangedInPlace() {
    has(
        text(kernel(List.of(), "", buffer("x", "float*", 3, 4, 1), buffer("y", "float*", 3, 4, 1))),
        "--set x=FILE --set x_out=FILE --set y=FILE",
        "      x: {file: \"${x}\", type: f32, shape: [n]}\n",
        "      x: {file: \"${x_out}\"}\n",
        "      y: {file: \"${y}\", type: f32, shape: [n]}\n",
        "    size: [n] ");
  }

  @Test
  void typesOfAllKindsAreWritten() {
    has(
        text(
            kernel(
                List.of(),
                "",
                buffer("a", "float3*", 1, 16, 3),
                buffer("b", "params*", 1, 0, 0),
                buffer("c", "half*", 3, 2, 0),
                of("d", "uchar", ArgumentKind.U32, 1, ArgumentKind.U32, 1),
                of("e", "float3", ArgumentKind.BYTES, 16, ArgumentKind.F32, 3),
                of("f", "ushort8", ArgumentKind.BYTES, 16, ArgumentKind.U32, 8),
                of("g", "half", ArgumentKind.BYTES, 2, null, 0),
                of("h", "params", ArgumentKind.BYTES, 3, null, 0))),
        "a: {file: \"${a}\", type: f32, shape: [n, 4]}",
        "b: {file: \"${b}\", type: u8, shape: [n_b]}",
        "# 1: params* b; the type of its elements is not known: bytes here",
        "c: {file: \"${c}\", type: f16, shape: [n]}",
        "- {f32: [0, 0, 0]} ",
        "- {u16: [0, 0, 0, 0, 0, 0, 0, 0]} ",
        "- {f16: 0} ",
        "- {bytes: \"000000\"} ",
        "# 7: params h; 3 bytes, better written as {struct: [...]}");
  }

  @Test
  void requiredSizesAreKept() {
    Argument x = buffer("x", "float*", 1, 4, 1);
    has(text(kernel(List.of(8, 1, 1), "", x)), "size: [local_x * ceil(n / local_x)] # groups of");
    has(text(kernel(List.of(8, 4, 1), "", x)), "size: [local_x * ceil(n / local_x), local_y] #");
    has(text(kernel(List.of(8, 1, 2), "", x)), "local_x), local_y, local_z] # groups of [8, 1, 2]");
  }

  @Test
  void namesAreOnesThatJobsAccept() {
    String text =
        text(
            kernel(
                List.of(),
                "",
                buffer("", "float*", 1, 4, 1),
                buffer("_in", "float*", 1, 4, 1),
                buffer("n", "float*", 3, 4, 1),
                of("count", "int", ArgumentKind.I32, 4, ArgumentKind.I32, 1)));
    has(
        text,
        "arg0: {file: \"${arg0}\", type: f32, shape: [elements]}",
        "arg1: {file: \"${arg1}\", type: f32, shape: [elements_arg1]}",
        "n: {file: \"${n}\", type: f32, shape: [elements]}",
        "- elements ");
  }

  @Test
  void aKernelWithoutBuffersHasNoJob() {
    assertEquals(
        Optional.empty(),
        JobText.of(
            "x",
            FILE,
            kernel(List.of(), "", of("n", "int", ArgumentKind.I32, 4, ArgumentKind.I32, 1))));
  }
}
