package io.isle.api.accel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ProgramSourceTest {
  private static final byte[] MODULE = {
    0x03, 0x02, 0x23, 0x07, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0
  };

  /** The begin of an ELF file of 32 bits. */
  private static final byte[] IMAGE = Arrays.copyOf(new byte[] {0x7f, 'E', 'L', 'F', 1}, 52);

  private static void refused(int code, String text, Supplier<ProgramSource> source) {
    AccelException refusal = assertThrows(AccelException.class, source::get);
    assertEquals(code, refusal.code(), refusal.getMessage());
    assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
  }

  @Test
  void eachHasItsKindAndSize() {
    assertEquals(ProgramKind.BUILTIN, new ProgramSource.Builtin("sum").kind());
    ProgramSource text = new ProgramSource.OpenClC("\u00fc", "");
    assertEquals(ProgramKind.OPENCL_C, text.kind());
    assertEquals(2, text.size());
    assertEquals(ProgramKind.SPIRV, new ProgramSource.SpirV(MODULE).kind());
    assertEquals(ProgramKind.PTX, new ProgramSource.Ptx(new byte[] {'x'}).kind());
    assertEquals(ProgramKind.HANDLERS, new ProgramSource.Handlers(IMAGE, "ping").kind());
    assertEquals("opencl_c", ProgramKind.OPENCL_C.text());
  }

  @Test
  void limitsAreNamedWithTheirField() {
    refused(Errno.EINVAL, "name", () -> new ProgramSource.Builtin(""));
    refused(Errno.EINVAL, "name", () -> new ProgramSource.Builtin(null));
    refused(Errno.EMSGSIZE, "63", () -> new ProgramSource.Builtin("\u00fc".repeat(32)));
    refused(Errno.EINVAL, "NUL", () -> new ProgramSource.Builtin("a\0b"));
    refused(Errno.EINVAL, "U+001B", () -> new ProgramSource.Builtin("a\u001b[2J"));
    refused(Errno.EINVAL, "NUL", () -> new ProgramSource.OpenClC("__kernel\0", ""));
    refused(Errno.EINVAL, "source", () -> new ProgramSource.OpenClC("", ""));
    refused(Errno.EINVAL, "source", () -> new ProgramSource.OpenClC(null, ""));
    refused(Errno.EINVAL, "options", () -> new ProgramSource.OpenClC("x", null));
    refused(Errno.EINVAL, "surrogate", () -> new ProgramSource.OpenClC("\ud83d", ""));
    String longest = "x".repeat(ProgramSource.MAX_SOURCE_BYTES);
    assertEquals(1 << 20, new ProgramSource.OpenClC(longest).size());
    refused(Errno.EMSGSIZE, "1048576", () -> new ProgramSource.OpenClC(longest + "x"));
    refused(
        Errno.EMSGSIZE,
        "source",
        () -> new ProgramSource.OpenClC("\u00fc".repeat(ProgramSource.MAX_SOURCE_BYTES / 2 + 1)));
    String options = "-D" + "x".repeat(4094);
    assertEquals(options, new ProgramSource.OpenClC("x", options).options());
    refused(Errno.EMSGSIZE, "4096", () -> new ProgramSource.OpenClC("x", options + "x"));
    refused(Errno.EINVAL, "U+000A", () -> new ProgramSource.OpenClC("x", "-DA\n-DB"));
    refused(Errno.EINVAL, "text", () -> new ProgramSource.Ptx(new byte[0]));
    refused(Errno.EINVAL, "text", () -> new ProgramSource.Ptx(null));
    refused(Errno.EINVAL, "byte 1", () -> new ProgramSource.Ptx(new byte[] {'x', 0}));
    refused(Errno.EMSGSIZE, "text", () -> new ProgramSource.Ptx(new byte[(1 << 20) + 1]));
  }

  @Test
  void aModuleIsWordsBehindTheMagicNumber() {
    refused(Errno.EINVAL, "module", () -> new ProgramSource.SpirV(null));
    refused(Errno.EINVAL, "20", () -> new ProgramSource.SpirV(Arrays.copyOf(MODULE, 16)));
    refused(Errno.EINVAL, "multiple", () -> new ProgramSource.SpirV(Arrays.copyOf(MODULE, 21)));
    refused(Errno.EINVAL, "0x00000000", () -> new ProgramSource.SpirV(new byte[20]));
    refused(Errno.EMSGSIZE, "module", () -> new ProgramSource.SpirV(new byte[(1 << 20) + 4]));
    byte[] bigEndian = new byte[20];
    System.arraycopy(new byte[] {0x07, 0x23, 0x02, 0x03}, 0, bigEndian, 0, 4);
    assertEquals(20, new ProgramSource.SpirV(bigEndian).size());
  }

  @Test
  void anImageOfHandlersIsAnElfFileOf32Bits() {
    assertEquals(52, new ProgramSource.Handlers(IMAGE, "ping").size());
    refused(Errno.EINVAL, "image: is missing", () -> new ProgramSource.Handlers(null, "ping"));
    refused(
        Errno.EINVAL,
        "image: 51 bytes",
        () -> new ProgramSource.Handlers(Arrays.copyOf(IMAGE, 51), "ping"));
    byte[] wide = IMAGE.clone();
    wide[4] = 2;
    refused(Errno.EINVAL, "32 bits", () -> new ProgramSource.Handlers(wide, "ping"));
    refused(Errno.EINVAL, "ELF", () -> new ProgramSource.Handlers(new byte[52], "ping"));
    refused(
        Errno.EMSGSIZE,
        "1048576",
        () -> new ProgramSource.Handlers(Arrays.copyOf(IMAGE, (1 << 20) + 1), "ping"));
    refused(Errno.EINVAL, "name", () -> new ProgramSource.Handlers(IMAGE, ""));
    refused(Errno.EINVAL, "U+000A", () -> new ProgramSource.Handlers(IMAGE, "a\nb"));
    refused(Errno.EMSGSIZE, "63", () -> new ProgramSource.Handlers(IMAGE, "x".repeat(64)));
  }

  @Test
  void bytesAreTheSourcesOwn() {
    byte[] bytes = MODULE.clone();
    ProgramSource.SpirV module = new ProgramSource.SpirV(bytes);
    bytes[0] = 9;
    module.module()[1] = 9;
    assertArrayEquals(MODULE, module.module());
    byte[] text = "ptx".getBytes(StandardCharsets.UTF_8);
    ProgramSource.Ptx ptx = new ProgramSource.Ptx(text);
    text[0] = 0;
    ptx.text()[1] = 0;
    assertArrayEquals("ptx".getBytes(StandardCharsets.UTF_8), ptx.text());
    byte[] image = IMAGE.clone();
    ProgramSource.Handlers handlers = new ProgramSource.Handlers(image, "ping");
    image[5] = 9;
    handlers.image()[6] = 9;
    assertArrayEquals(IMAGE, handlers.image());
  }

  /** What is kept is what was checked, even if the caller writes meanwhile. */
  @Test
  void bytesAreCheckedAsTheyAreKept() throws InterruptedException {
    byte[] text = new byte[ProgramSource.MAX_SOURCE_BYTES];
    Arrays.fill(text, (byte) 'x');
    AtomicBoolean over = new AtomicBoolean();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    text[text.length - 1] ^= (byte) 'x';
                  }
                });
    try {
      for (int i = 0; i < 500; i++) {
        checkIfTaken(text);
      }
    } finally {
      over.set(true);
      writer.join();
    }
  }

  private static void checkIfTaken(byte[] text) {
    try {
      byte[] kept = new ProgramSource.Ptx(text).text();
      assertEquals('x', kept[kept.length - 1]);
    } catch (AccelException e) {
      assertEquals(Errno.EINVAL, e.code());
    }
  }

  @Test
  void equalBytesAreEqualSources() {
    assertEquals(new ProgramSource.SpirV(MODULE), new ProgramSource.SpirV(MODULE.clone()));
    assertEquals(
        new ProgramSource.SpirV(MODULE).hashCode(), new ProgramSource.SpirV(MODULE).hashCode());
    assertNotEquals(
        new ProgramSource.Ptx(new byte[] {'a'}), new ProgramSource.Ptx(new byte[] {'b'}));
    assertEquals(
        new ProgramSource.Handlers(IMAGE, "a"), new ProgramSource.Handlers(IMAGE.clone(), "a"));
    assertNotEquals(new ProgramSource.Handlers(IMAGE, "a"), new ProgramSource.Handlers(IMAGE, "b"));
  }

  @Test
  void textForPeopleHasNoSource() {
    assertEquals("Builtin[name=sum]", new ProgramSource.Builtin("sum").toString());
    assertEquals(
        "OpenClC[6 bytes, options=-w]", new ProgramSource.OpenClC("secret", "-w").toString());
    assertEquals("SpirV[20 bytes]", new ProgramSource.SpirV(MODULE).toString());
    assertEquals("Handlers[ping, 52 bytes]", new ProgramSource.Handlers(IMAGE, "ping").toString());
    assertEquals("Ptx[1 bytes]", new ProgramSource.Ptx(new byte[] {'x'}).toString());
  }

  @Property
  void whatIsTakenIsWithinTheLimits(@ForAll String source, @ForAll String options) {
    try {
      ProgramSource.OpenClC made = new ProgramSource.OpenClC(source, options);
      assertTrue(made.size() >= 1 && made.size() <= ProgramSource.MAX_SOURCE_BYTES);
      assertTrue(made.options().codePoints().noneMatch(c -> c == '\n' || c == 0));
    } catch (AccelException e) {
      assertTrue(e.getMessage().matches("(?s)(source|options): .*"), e.getMessage());
    }
  }
}
