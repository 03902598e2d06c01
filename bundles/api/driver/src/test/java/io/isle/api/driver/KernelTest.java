package io.isle.api.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A description of a kernel has what a launch can have, or is none. */
class KernelTest {
  private static final Optional<ArgumentKind> NONE = Optional.empty();

  private static Kernel.Argument bytes(int count) {
    return new Kernel.Argument("s", "struct s", Optional.of(ArgumentKind.BYTES), 0, count, NONE, 0);
  }

  private static Kernel.Argument number(ArgumentKind kind, int count, int lanes) {
    return new Kernel.Argument(
        "n", "number", Optional.of(kind), 0, count, Optional.of(kind), lanes);
  }

  private static Kernel.Argument buffer(int access, int count) {
    return new Kernel.Argument(
        "b", "uchar*", Optional.of(ArgumentKind.BUFFER), access, count, NONE, 0);
  }

  private static Kernel kernel(Kernel.Argument... arguments) {
    return kernel(List.of(), "", arguments);
  }

  private static Kernel kernel(List<Integer> group, String unusable, Kernel.Argument... arguments) {
    return new Kernel("k", 0, group, 0, 0, 0, "", unusable, List.of(arguments));
  }

  private static void wrong(String field, Runnable make) {
    DriverException refused = assertThrows(DriverException.class, make::run, field);
    assertEquals(Errno.EPROTO, refused.code());
    assertTrue(refused.getMessage().contains(field + ": "), refused.getMessage());
  }

  @Test
  void kernelsHaveWhatALaunchCanHave() {
    assertTrue(
        kernel(Collections.nCopies(64, bytes(16)).toArray(Kernel.Argument[]::new)).isUsable());
    wrong(
        "arg_count",
        () -> kernel(Collections.nCopies(65, buffer(1, 0)).toArray(Kernel.Argument[]::new)));
    wrong("args", () -> kernel(bytes(1024), bytes(1)));
    assertTrue(!kernel(List.of(), "it is too large", bytes(1024), bytes(1)).isUsable());
    assertEquals(3, kernel(List.of(1 << 15, 1 << 15, 3), "").groupSize().size());
    wrong("group_size", () -> kernel(List.of(1 << 16, 1 << 16, 1), ""));
    wrong("group_size", () -> kernel(List.of(Integer.MAX_VALUE, Integer.MAX_VALUE, 4), ""));
    wrong("group_size", () -> kernel(List.of(8, 0, 1), ""));
    wrong("group_size", () -> kernel(List.of(8, 1), ""));
    wrong("name", () -> new Kernel("", 0, List.of(), 0, 0, 0, "", "", List.of()));
    wrong("name", () -> new Kernel("x".repeat(256), 0, List.of(), 0, 0, 0, "", "", List.of()));
    wrong("entry", () -> new Kernel("k", 256, List.of(), 0, 0, 0, "", "", List.of()));
    wrong("max_group", () -> new Kernel("k", 0, List.of(), -1, 0, 0, "", "", List.of()));
    wrong("local_bytes", () -> new Kernel("k", 0, List.of(), 0, -1, 0, "", "", List.of()));
    wrong("private_bytes", () -> new Kernel("k", 0, List.of(), 0, 0, -1, "", "", List.of()));
    String text = "x".repeat(192);
    wrong("needs_group_size", () -> new Kernel("k", 0, List.of(), 0, 0, 0, text, "", List.of()));
    wrong("unusable", () -> new Kernel("k", 0, List.of(), 0, 0, 0, "", text, List.of()));
  }

  @Test
  void argumentsSayWhatTheyAre() {
    var unknown = new Kernel.Argument("", "image2d_t", NONE, 0, 0, NONE, 0);
    wrong("args", () -> kernel(unknown));
    assertEquals(1, kernel(List.of(), "argument 0 is an image", unknown).arguments().size());
    assertEquals(2, number(ArgumentKind.U32, 2, 1).bytes());
    wrong("args: bytes", () -> number(ArgumentKind.U32, 0, 1));
    wrong("args: bytes", () -> number(ArgumentKind.F64, 9, 1));
    wrong("args: element", () -> number(ArgumentKind.F32, 4, 2));
    wrong("args: element", () -> number(ArgumentKind.LOCAL, 4, 1));
    wrong("args: bytes", () -> bytes(0));
    wrong("args: bytes", () -> bytes(1025));
    assertEquals(0, buffer(3, 0).bytes());
    wrong("args: access", () -> buffer(0, 1));
    wrong("args: access", () -> buffer(4, 1));
    wrong(
        "args: access",
        () -> new Kernel.Argument("", "", Optional.of(ArgumentKind.BYTES), 1, 4, NONE, 0));
    wrong(
        "args: lanes",
        () ->
            new Kernel.Argument(
                "", "", Optional.of(ArgumentKind.BYTES), 0, 20, Optional.of(ArgumentKind.F32), 5));
    wrong(
        "args: lanes",
        () -> new Kernel.Argument("", "", Optional.of(ArgumentKind.BYTES), 0, 20, NONE, 1));
    wrong("args: name", () -> new Kernel.Argument("x".repeat(64), "", NONE, 0, 0, NONE, 0));
    wrong("args: type", () -> new Kernel.Argument("", "x".repeat(64), NONE, 0, 0, NONE, 0));
  }

  @Test
  void numbersAreThoseOfTheAbi() {
    assertEquals(1, ArgumentKind.BUFFER.code());
    assertEquals(9, ArgumentKind.BYTES.code());
    assertEquals(
        List.of(
            ArgumentKind.U32,
            ArgumentKind.I32,
            ArgumentKind.U64,
            ArgumentKind.I64,
            ArgumentKind.F32,
            ArgumentKind.F64),
        List.of(ArgumentKind.values()).stream().filter(ArgumentKind::isScalar).toList());
  }
}
