package io.isle.core.drivers.nativecode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.core.drivers.nativecode.SoftDevice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElfSymbolsTest {
  private static final Path LIBRARY = SoftDevice.NATIVE.resolve("libsoftaccel.so");

  private static Optional<ElfSymbols.Symbol> at(Path file, long address) throws IOException {
    try (ElfSymbols symbols = ElfSymbols.open(file)) {
      return symbols.at(address);
    }
  }

  /** Functions that binutils finds: address, size, name. */
  private static List<String[]> functions() throws Exception {
    Process nm =
        new ProcessBuilder("nm", "--defined-only", "-S", LIBRARY.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (var lines = nm.inputReader().lines()) {
      return lines
          .map(line -> line.split(" "))
          .filter(parts -> parts.length == 4 && parts[2].equalsIgnoreCase("t"))
          .toList();
    }
  }

  @Test
  void functionsAreFoundByTheirFirstAndLastAddressAsBinutilsFindsThem() throws Exception {
    List<String[]> functions = functions();
    assertTrue(functions.size() > 50);
    for (String[] function : functions) {
      long start = Long.parseLong(function[0], 16);
      long last = Long.parseLong(function[1], 16) - 1;
      assertEquals(Optional.of(new ElfSymbols.Symbol(function[3], 0)), at(LIBRARY, start));
      assertEquals(
          Optional.of(new ElfSymbols.Symbol(function[3], last)), at(LIBRARY, start + last));
    }
    assertEquals(Optional.empty(), at(LIBRARY, 0));
    assertEquals(Optional.empty(), at(LIBRARY, -1));
    assertEquals(Optional.empty(), at(LIBRARY, Long.MIN_VALUE));
  }

  @Test
  void whatIsNoLibraryHasNoFunctions(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("file");
    assertThrows(NoSuchFileException.class, () -> ElfSymbols.open(file));
    Files.write(file, new byte[0]);
    assertEquals(Optional.empty(), at(file, 0x1000));
    Files.writeString(file, "#!/bin/sh\n".repeat(100));
    assertEquals(Optional.empty(), at(file, 0x1000));
  }

  /** Bytes of the header and the tables are replaced, and the end cut off. */
  @Property(tries = 500)
  void aLibraryThatLiesIsAnsweredWithinBounds(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    byte[] bytes = Library.BYTES.clone();
    int sections = (int) Library.longAt(40);
    for (int i = random.nextInt(1, 40); i > 0; i--) {
      int in =
          switch (random.nextInt(3)) {
            case 0 -> random.nextInt(64);
            case 1 -> sections + random.nextInt(bytes.length - sections);
            default -> random.nextInt(bytes.length);
          };
      bytes[in] = (byte) (random.nextBoolean() ? 0xff : random.nextInt());
    }
    int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length) : bytes.length;
    Path file = Files.createTempFile("isle-elf", ".so");
    try {
      Files.write(file, Arrays.copyOf(bytes, length));
      for (long address : new long[] {0, 0x5030, random.nextLong(), random.nextInt(1 << 17)}) {
        at(file, address)
            .ifPresent(
                symbol -> assertTrue(symbol.name().matches("[!-~]{1,100}"), symbol.toString()));
      }
    } finally {
      Files.delete(file);
    }
  }

  /** The bytes of one that is good. */
  private static final class Library {
    static final byte[] BYTES = read();

    private static byte[] read() {
      try {
        return Files.readAllBytes(LIBRARY);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    static long longAt(int at) {
      return ByteBuffer.wrap(BYTES).order(ByteOrder.LITTLE_ENDIAN).getLong(at);
    }
  }
}
