package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.ProgramKind;
import io.isle.api.jobs.JobException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values of arguments against what a kernel takes. */
@Timeout(60)
class TypedArgumentsTest {
  @TempDir Path folder;

  private final Harness harness = new Harness(1 << 20);

  @BeforeEach
  void device() {
    harness.device.kinds = EnumSet.of(ProgramKind.BUILTIN, ProgramKind.OPENCL_C);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "n uchar 1 u32 1|255|u32 255",
        "n char 1 i32 1|-128|i32 -128",
        "n ushort 2 u32 1|70|u32 70",
        "n short 2 i32 1|{i16: -5}|i32 -5",
        "n uint 4 u32 1|0xffffffff|u32 4294967295",
        "n int 4 i32 1|2 * m - 1|i32 5",
        "n int 4 i32 1|{u32: 7}|i32 7",
        "n ulong 8 u64 1|18446744073709551615|u64 18446744073709551615",
        "n ulong 8 u64 1|0x8000000000000000|u64 9223372036854775808",
        "n ulong 8 u64 1|9223372036854775807 * 2 + 1|u64 18446744073709551615",
        "n long 8 i64 1|0xffffffffffffffff|i64 -1",
        "n long 8 i64 1|(1 << 62) + 1|i64 4611686018427387905",
        "n float 4 f32 1|1 / 3|f32 0.33333334",
        "n float 4 f32 1|-inf|f32 -Infinity",
        "n float 4 f32 1|{f32: .nan}|f32 NaN",
        "n float 4 f32 1|-0.0|f32 -0.0",
        "n double 8 f64 1|0.1 + 0.2|f64 0.3",
        "n half 2 none 0|1.5|bytes 003e",
        "n half 2 none 0|{f16: -2}|bytes 00c0",
        "v float4 16 f32 4|{f32: [1, m, 3, 4]}|bytes 0000803f000040400000404000008040",
        "v int3 16 i32 3|{i32: [1, 2, -1]}|bytes 0100000002000000ffffffff00000000",
        "v uchar2 2 u32 2|{u8: [1, 255]}|bytes 01ff",
        "v uint2 8 u32 2|{i32: [1, m]}|bytes 0100000003000000",
        "p params 8 none 0|{bytes: '0a0b0C0D0e0f1011'}|bytes 0a0b0c0d0e0f1011",
        "p params 12 none 0|{struct: [{u8: 1}, {u16: 2}, {f32: 0.5}, {u8: 3}]}"
            + "|bytes 010002000000003f03000000",
        "p params 24 none 0|{struct: [{i32: m}, {f64: 1}, {struct: [{u8: 9}, {i16: -1}]}]}"
            + "|bytes 0300000000000000000000000000f03f0900ffff00000000",
        "p params 48 none 0|{struct: [{u8: 1}, {f32: [1, 2, 3]}, {bytes: '0203'}]}"
            + "|bytes 010000000000000000000000000000000000803f000000400000404000000000"
            + "02030000000000000000000000000000",
        "t float* 4 f32 1|{local: 16KiB}|local 16384",
        "t float* 4 f32 1|{local: 64k}|local 65536",
        "t float* 4 f32 1|{local: 4 * m}|local 12"
      })
  void valuesThatFit(String argument, String value, String given) throws Exception {
    run(argument, value);
    assertEquals(List.of(given), harness.device.dispatched.getLast().arguments);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "n uchar 1 u32 1|300|300 is not in 0..255 (uchar); write a number of this range",
        "n uchar 1 u32 1|100 * m|100 * m: 300 is not in 0..255 (uchar)",
        "n short 2 i32 1|40000|40000 is not in -32768..32767 (short)",
        "n ushort 2 u32 1|70000|70000 is not in 0..65535 (ushort)",
        "n uint 4 u32 1|-1|-1 is not in 0..4294967295 (uint)",
        "n ulong 8 u64 1|18446744073709551616|is not in 0..18446744073709551615 (ulong)",
        "n long 8 i64 1|9223372036854775808|is not in -9223372036854775808..9223372036854775807",
        "n float 4 f32 1|1e39|1e39 is not in -3.4028235e38..3.4028235e38 (float); write a number of"
            + " this range, inf or nan",
        "n float 4 f32 1|m * 1e300|is not in -3.4028235e38..3.4028235e38 (float)",
        "n half 2 none 0|65520|65520 is not in -65504..65504 (half)",
        "n int 4 i32 1|m / 2|m / 2 is 1.50000; the value must be a whole number from -2147483648..2147483647 (int)",
        "n int 4 i32 1|1.5|'1.5' is not a whole number (int)",
        "n int 4 i32 1|inf|'inf' is not a whole number (int)",
        "n int 4 i32 1|1 / (m - 3)|1 / (m - 3) has no value: a division by zero",
        "n int 4 i32 1|{u32: 4294967295}|4294967295 is not in -2147483648..2147483647 (int)",
        "n int 4 i32 1|{f32: 1}|f32 of 4 bytes does not fit argument 0, n (int) of the kernel, which"
            + " has 4 bytes: write a number, or {i32: NUMBER}",
        "n int 4 i32 1|{i64: 1}|i64 of 8 bytes does not fit argument 0, n (int)",
        "n int 4 i32 1|{local: 4}|does not fit argument 0, n (int) of the kernel: write a number",
        "v float4 16 f32 4|1.5|does not fit argument 0, v (float4) of the kernel: write {f32: [a, b,"
            + " c, d]}",
        "v float3 16 f32 3|{f32: [1, 2, 3, 4]}|write {f32: [a, b, c]}",
        "v float4 16 f32 4|{f32: [1, 2]}|2 f32 of 8 bytes does not fit argument 0, v (float4)",
        "v int2 8 i32 2|{u32: [1, 3000000000]}|3000000000 is not in -2147483648..2147483647",
        "p params 24 none 0|70|24 bytes; write {struct: [...]} with a typed value for each member",
        "p params 24 none 0|{struct: [{i32: 1}, {f64: 1}]}|struct of 16 bytes does not fit",
        "p params 4 none 0|{bytes: '0a0b'}|bytes of 2 bytes does not fit argument 0, p (params)",
        "p params 4 none 0|{struct: [{u8: 1}, {u16: 70000}]}|70000 is not in 0..65535 (u16)",
        "t float* 4 f32 1|64|local memory; write its size, such as {local: 16KiB}",
        "t float* 4 f32 1|{f32: 1}|local memory; write its size",
        "t float* 4 f32 1|{local: 0}|0 is 0; the value must be a whole number from 1 to"
      })
  void valuesThatDoNotFit(String argument, String value, String message) throws Exception {
    Files.writeString(folder.resolve("k.cl"), "probe | args: " + argument + "\n");
    String error = harness.failed(folder, step(value), message).error();
    assertTrue(error.contains("args[0]"), error);
    assertEquals(0, harness.device.submissions.get());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{f32: [1, 2, 3, 4, 5]}|has 5 numbers; a vector has 2, 3, 4, 8 or 16",
        "{bytes: 0a0}|must be two hexadecimal digits for each byte",
        "{struct: []}|needs at least one member",
        "{struct: [1]}|must be a mapping",
        "{struct: [{local: 4}]}|local memory cannot be a part of a value",
        "{f32: 1, u8: 2}|needs one key of raw, local, struct, bytes, u8",
        "{float: 1}|unknown key; allowed here: raw, local, struct, bytes, u8, i8",
        "{raw: k}|'k' is not a buffer; the buffers are ",
        "{struct: [{raw: x}]}|a buffer cannot be a part of a value",
        "{u8: k}|'k' is neither a number nor one of m",
        "{local: k}|'k' is neither a number nor one of m"
      })
  void formsThatAreWrong(String value, String message) throws Exception {
    Files.writeString(folder.resolve("k.cl"), "probe | args: n int 4 i32 1\n");
    JobException e = assertThrows(JobException.class, () -> harness.done(folder, step(value)));
    assertEquals(2, e.exitStatus());
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  @Test
  void allArgumentsTogetherHave1024Bytes() throws Exception {
    Files.writeString(folder.resolve("k.cl"), "probe | args: p params 2048 none 0\n");
    String value = "{bytes: '" + "00".repeat(1025) + "'}";
    JobException e = assertThrows(JobException.class, () -> harness.done(folder, step(value)));
    assertTrue(
        e.getMessage().contains("has 1025 bytes; the limit of all arguments is 1024 bytes"),
        e.getMessage());
  }

  @Test
  void valuesOfBuffersHaveTheirRangesToo() throws Exception {
    Files.writeString(folder.resolve("k.cl"), "copy\n");
    String step =
        """
        - program: {file: k.cl}
          in: {x: {values: [%s], type: %s, shape: [m]}}
          out: {y: {file: y, type: %2$s, shape: [m]}}
          size: [m]
        """;
    var ignored = harness.done(folder, step.formatted("18446744073709551615", "u64"));
    assertEquals(
        -1, new java.io.DataInputStream(Files.newInputStream(folder.resolve("y"))).readLong());
    ignored = harness.done(folder, step.formatted("-inf", "f32"));
    ignored = harness.failed(folder, step.formatted("1e39", "f32"), "values[0]: 1e39 is not in");
    ignored = harness.failed(folder, step.formatted("nan", "u8"), "'nan' is not a whole number");
  }

  private void run(String argument, String value) throws IOException {
    Files.writeString(folder.resolve("k.cl"), "probe | args: " + argument + "\n");
    var ignored = harness.done(folder, step(value));
  }

  private String step(String value) throws IOException {
    Files.write(folder.resolve("x"), Numbers32.raw(1, 2, 3));
    return """
        - program: {file: k.cl}
          in: {x: {file: x, type: f32, shape: [m]}}
          args: [%s]
          size: [m]
        """
        .formatted(value);
  }
}
