package io.isle.api.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/** Programs of several files: names, sizes and numbers. */
class SourceFilesTest {
  private static final int MIB = 1 << 20;

  private static void refused(int code, String text, Supplier<?> source) {
    AccelException refusal = assertThrows(AccelException.class, source::get);
    assertEquals(code, refusal.code(), refusal.getMessage());
    assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
  }

  private static List<SourceFile> files(String... names) {
    return Arrays.stream(names).map(name -> new SourceFile(name, "x")).toList();
  }

  private static ProgramSource.OpenClFiles program(List<SourceFile> files) {
    return new ProgramSource.OpenClFiles(files, List.of(), "");
  }

  @Test
  void namesAreRelativePaths() {
    for (String name : List.of("a", "a.cl", "lib/a b.h", "...", ".a", "a..b/c", "\u00fc/\u4e00")) {
      assertEquals(name, new SourceFile(name, "").name());
    }
    refused(Errno.EINVAL, "name: is missing", () -> new SourceFile(null, ""));
    refused(Errno.EINVAL, "name: is empty", () -> new SourceFile("", ""));
    refused(Errno.EMSGSIZE, "the limit is 255 bytes", () -> new SourceFile("x".repeat(256), ""));
    refused(
        Errno.EMSGSIZE, "the limit is 255 bytes", () -> new SourceFile("\u00fc".repeat(128), ""));
    assertEquals(255, new SourceFile("x".repeat(255), "").name().length());
    for (String name : List.of("/a", "a/", "a//b", "/")) {
      refused(Errno.EINVAL, name + ": the name must be a relative", () -> new SourceFile(name, ""));
    }
    for (String name : List.of(".", "..", "../a", "a/..", "a/./b", "a/../b")) {
      refused(Errno.EINVAL, "is not allowed", () -> new SourceFile(name, ""));
    }
    for (String name : List.of("a\"b", "a\\b", "a\tb")) {
      refused(Errno.EINVAL, "double quote, backslash or tab", () -> new SourceFile(name, ""));
    }
    refused(Errno.EINVAL, "U+000A", () -> new SourceFile("a\nb", ""));
    refused(Errno.EINVAL, "U+0085", () -> new SourceFile("a\u0085b", ""));
    refused(Errno.EINVAL, "NUL", () -> new SourceFile("a\0b", ""));
  }

  @Test
  void textsMayBeEmptyButNotLongerThanAMebibyte() {
    assertEquals(0, new SourceFile("a", "").size());
    assertEquals(MIB, new SourceFile("a", "x".repeat(MIB)).size());
    refused(Errno.EINVAL, "lib/a.h: is missing", () -> new SourceFile("lib/a.h", null));
    refused(Errno.EINVAL, "lib/a.h: character 1 is NUL", () -> new SourceFile("lib/a.h", "x\0"));
    refused(
        Errno.EMSGSIZE,
        "a: 1048577 characters are too long; the limit is 1048576 bytes",
        () -> new SourceFile("a", "x".repeat(MIB + 1)));
    refused(
        Errno.EMSGSIZE,
        "a: 1048578 bytes are too long",
        () -> new SourceFile("a", "\u00fc".repeat(MIB / 2 + 1)));
    assertEquals("a (2 bytes)", new SourceFile("a", "\u00fc").toString());
  }

  @Test
  void aProgramHasAFileAndAtMost64() {
    List<String> names = IntStream.range(0, 64).mapToObj(i -> "f" + i).toList();
    List<SourceFile> most = files(names.toArray(String[]::new));
    assertEquals(64, program(most).size());
    assertEquals(ProgramKind.OPENCL_C, program(most).kind());
    refused(Errno.EINVAL, "files: the program has no file to compile", () -> program(List.of()));
    refused(
        Errno.EMSGSIZE,
        "files: 65 files and headers are too many; the limit is 64",
        () -> new ProgramSource.OpenClFiles(most, files("h"), ""));
    refused(Errno.EINVAL, "files: is missing", () -> program(null));
    refused(
        Errno.EINVAL, "headers: is missing", () -> new ProgramSource.OpenClFiles(most, null, ""));
    refused(
        Errno.EINVAL, "files: a file is missing", () -> program(Arrays.asList(most.get(0), null)));
    refused(Errno.EINVAL, "U+000A", () -> new ProgramSource.OpenClFiles(most, List.of(), "-D\n"));
  }

  @Test
  void aProgramHasAtMostFourMebibytes() {
    List<SourceFile> four =
        IntStream.range(0, 4).mapToObj(i -> new SourceFile("f" + i, "x".repeat(MIB))).toList();
    assertEquals(4 * MIB, program(four).size());
    refused(
        Errno.EMSGSIZE,
        "4194305 bytes of files and headers are too long; the limit is 4194304 bytes",
        () -> new ProgramSource.OpenClFiles(four, files("h"), ""));
  }

  @Test
  void eachNameIsThereOnceAndNoFolder() {
    refused(Errno.EINVAL, "the name a appears twice", () -> program(files("a", "a")));
    refused(
        Errno.EINVAL,
        "the name a appears twice",
        () -> new ProgramSource.OpenClFiles(files("a"), files("a"), ""));
    refused(
        Errno.EINVAL,
        "a/b is a file and the folder of a/b/c",
        () -> program(files("a/b/c", "a/b")));
    assertEquals(3, program(files("a", "a.b", "aa")).size());
  }

  @Test
  void listsAreTheSourcesOwnAndTextForPeopleHasNoTexts() {
    List<SourceFile> files = new ArrayList<>(files("a.cl"));
    ProgramSource.OpenClFiles made =
        new ProgramSource.OpenClFiles(files, List.of(new SourceFile("b.h", "secret")), "-w");
    files.clear();
    assertEquals(1, made.files().size());
    assertEquals("OpenClFiles[1 files, 1 headers, 7 bytes, options=-w]", made.toString());
    assertFalse(made.toString().contains("secret"));
  }

  /** What is taken leads nowhere else. */
  @Property
  void aNameStaysBelowItsRoot(
      @ForAll @StringLength(max = 12) @CharRange(from = '.', to = '/') String dots,
      @ForAll @StringLength(max = 3) String other) {
    String name = dots + other;
    try {
      List<String> parts = List.of(new SourceFile(name, "").name().split("/", -1));
      assertTrue(parts.stream().noneMatch(p -> p.isEmpty() || p.equals(".") || p.equals("..")));
      assertTrue(name.chars().noneMatch(c -> Character.isISOControl(c) || c == '"' || c == '\\'));
    } catch (AccelException e) {
      assertTrue(e.getMessage().startsWith("name: "), e.getMessage());
    }
  }
}
