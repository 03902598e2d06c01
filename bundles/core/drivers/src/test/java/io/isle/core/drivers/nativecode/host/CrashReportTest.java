package io.isle.core.drivers.nativecode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Ids;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.Programs;
import io.isle.core.drivers.nativecode.SoftDevice;
import io.isle.lib.shm.Channel;
import io.isle.lib.shm.ChannelLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrashReportTest {
  private static final Path LIBRARY = SoftDevice.NATIVE.resolve("libsoftaccel.so");
  private static final CrashReport REPORT =
      new CrashReport(LIBRARY, SoftDevice.NATIVE.resolve("driver-host"));
  private static final long PROGRAM = Ids.of(Ids.PROGRAM, 1, 0);

  /** What is made of a record, whose lines a host wrote. */
  private static String text(CrashReport report, String... lines) {
    byte[] record = (lines[0] + "\0").getBytes(StandardCharsets.UTF_8);
    try (Channel channel = Channel.create(1, 1, 0)) {
      MemorySegment to = record(channel);
      MemorySegment.copy(record, 0, to, ValueLayout.JAVA_BYTE, 0, record.length);
      long at = record.length;
      for (int i = 1; i < lines.length; i++) {
        byte[] line = (lines[i] + "\n").getBytes(StandardCharsets.UTF_8);
        MemorySegment.copy(line, 0, to, ValueLayout.JAVA_BYTE, at, line.length);
        at += line.length;
      }
      return report.text(channel);
    }
  }

  private static MemorySegment record(Channel channel) {
    long at = channel.memory().get(ValueLayout.JAVA_LONG, ChannelLayout.CRASH_OFFSET);
    return channel.memory().asSlice(at, ChannelLayout.CRASH_BYTES);
  }

  /** Where the driver's entry is, which others can call. */
  private static long entry() throws Exception {
    try (ElfSymbols symbols = ElfSymbols.open(LIBRARY)) {
      for (long address = 0; address < Files.size(LIBRARY); address += 16) {
        if (symbols.at(address).equals(found(0))) {
          return address;
        }
      }
    }
    throw new AssertionError("no entry");
  }

  private static Optional<ElfSymbols.Symbol> found(long offset) {
    return Optional.of(new ElfSymbols.Symbol("isle_driver_entry", offset));
  }

  /** Else nobody would hear of the host's end. */
  @Test
  void whatCannotBeReadIsLeftOut() {
    Channel channel = Channel.create(1, 1, 0);
    channel.close();
    assertEquals("", REPORT.text(channel));
  }

  @Test
  void aRealCrashNamesTheFunctionItsCallersAndTheThread() throws Exception {
    try (SoftDevice soft = new SoftDevice(2, Map.of("fault_injection", "true"))) {
      soft.context(0);
      var ignored =
          soft.device
              .extension(Programs.class)
              .orElseThrow()
              .load(
                  SoftDevice.CONTEXT,
                  PROGRAM,
                  Programs.Kind.BUILTIN,
                  "noop".getBytes(StandardCharsets.UTF_8));
      soft.device
          .extension(FaultInjection.class)
          .orElseThrow()
          .inject(FaultInjection.Fault.SEGV, 0, 1, 0);
      long tag = soft.dispatch(PROGRAM);
      assertTrue(tag > 0);
      String text = soft.lost.get(60, TimeUnit.SECONDS);
      assertTrue(
          text.matches(
              ".* was ended by signal 11: the driver died of SIGSEGV \\(11\\) at address 0x8 in"
                  + " thread soft-cu0, at pc 0x[0-9a-f]+ in fault_meet\\+0x[0-9a-f]+"
                  + " \\(driver\\+0x[0-9a-f]+\\), called by run_work\\+0x.*"
                  + ", called by worker_main\\+0x.*"),
          text);
    }
  }

  @Test
  void namesComeFromTheDriversLibraryAndTheSystems() throws Exception {
    long entry = entry();
    String path = LIBRARY.toRealPath().toString();
    String at = Long.toHexString(entry + 2);
    assertEquals(
        "died, at pc 0x7f02 in isle_driver_entry+0x2 (driver+0x" + at + "), called by 0x12",
        text(REPORT, "died", "7f02 " + at + " " + path, "12"));
    assertEquals(
        "died, at pc 0x20 in code outside of all libraries, called by isle_driver_entry+0x2"
            + " (driver+0x"
            + at
            + ")",
        text(REPORT, "died", "20", "7f02 " + at + " " + path));
    // of one that is gone, or deleted since it was loaded
    assertEquals("died, at pc 0x1 in gone.so+0x30", text(REPORT, "died", "1 30 /no/gone.so"));
    assertEquals(
        "died, at pc 0x1 in gone.so+0x30", text(REPORT, "died", "1 30 /no/gone.so (deleted)"));
  }

  @Test
  void whatIsNoFrameEndsTheReport() {
    assertEquals("died", text(REPORT, "died", "so 10 /a", "1 1 /a"));
    assertEquals("died", text(REPORT, "died", "11111111111111111 10 /a"));
    assertEquals("", text(REPORT, "", "1 1 /a"));
    assertTrue(text(REPORT, "x".repeat(4000)).length() <= 300);
    String[] many = new String[20];
    Arrays.fill(many, "1 1 /a");
    many[0] = "died";
    assertEquals(7, text(REPORT, many).split(" called by ", -1).length - 1);
  }

  /** A library of the same contents that nobody has reason to open, or a way out of a folder. */
  @Test
  void otherFilesAreNotOpened(@TempDir Path folder) throws Exception {
    Path copy = Files.copy(LIBRARY, folder.toRealPath().resolve("copy.so"));
    String at = Long.toHexString(entry());
    assertFalse(text(REPORT, "died", "1 " + at + " " + copy).contains("isle_driver_entry"));
    assertFalse(
        text(REPORT, "died", "1 " + at + " /usr/lib/../.." + copy).contains("isle_driver_entry"));
    assertTrue(
        text(new CrashReport(copy, LIBRARY), "died", "1 " + at + " " + copy)
            .contains("isle_driver_entry"));
  }

  @Property(tries = 300)
  void garbageIsAnsweredWithinBounds(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] noise = new byte[ChannelLayout.CRASH_BYTES];
    String some = "0123456789abcdef \n\n/lib/.\0";
    for (int i = 0; i < noise.length; i++) {
      noise[i] =
          (byte)
              (random.nextInt(50) == 0
                  ? random.nextInt()
                  : some.charAt(random.nextInt(some.length())));
    }
    try (Channel channel = Channel.create(1, 1, 0)) {
      MemorySegment.copy(noise, 0, record(channel), ValueLayout.JAVA_BYTE, 0, noise.length);
      assertTrue(REPORT.text(channel).length() < 3000);
    }
  }
}
