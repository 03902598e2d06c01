package io.isle.apps.jobs.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NpyTest {
  private static final String GOOD = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }";

  /** As numpy 1.26 writes {@code numpy.zeros((2, 3), '<f4')}, the first 128 bytes. */
  @Test
  void writesWhatNumpyWrites() {
    byte[] header = Npy.header(ElementType.F32, List.of(2L, 3L));
    String text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    ByteBuffer expected = ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN);
    expected.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}).putShort((short) 118);
    expected.put(text.getBytes(StandardCharsets.US_ASCII));
    while (expected.remaining() > 1) {
      expected.put((byte) ' ');
    }
    assertArrayEquals(expected.put((byte) '\n').array(), header);
  }

  @Property
  void readsWhatItWrites(
      @ForAll ElementType type,
      @ForAll @Size(max = 5) List<@IntRange(min = 0, max = 500) Integer> extents,
      @ForAll @IntRange(min = 0, max = 300) int least)
      throws IOException {
    List<Long> shape = extents.stream().map(Integer::longValue).toList();
    byte[] header = Npy.header(type, shape, least);
    assertEquals(0, header.length % 64);
    assertTrue(header.length >= least);
    assertEquals(new Npy.Header(type, shape, header.length, false), read(header));
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3"})
  void readsThreeVersions(int version) throws IOException {
    Npy.Header header = read(file(version, GOOD + "\n"));
    assertEquals(ElementType.F32, header.type());
    assertEquals(List.of(3L, 4L), header.shape());
    assertEquals(48, header.dataBytes());
  }

  /** Of arrays with one row or column both orders are the same. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"True;(3, 3);true", "True;(1, 3, 1);false", "True;(3,);false", "False;(3, 3);false"})
  void tellsTheOrderWhereItMatters(String fortran, String shape, boolean columnMajor)
      throws IOException {
    String text = "{'descr': '<f4', 'fortran_order': %s, 'shape': %s, }";
    assertEquals(columnMajor, read(file(1, text.formatted(fortran, shape))).columnMajor());
  }

  @Property
  void columnsBecomeRows(@ForAll @Size(max = 4) List<@IntRange(min = 0, max = 5) Integer> extents) {
    List<Long> shape = extents.stream().map(Integer::longValue).toList();
    int count = (int) Dims.elements(shape);
    HostArray columns = HostArray.allocate(Arena.ofAuto(), ElementType.U16, shape);
    for (int i = 0; i < count; i++) {
      ElementType.U16.setWhole(columns.bytes(), i, i);
    }
    HostArray rows = HostArray.ofColumns(Arena.ofAuto(), ElementType.U16, shape, columns.bytes());
    for (int i = 0; i < count; i++) {
      // the element's index from the last to the first extent, put together the other way round
      int rest = i;
      int wanted = 0;
      int[] index = new int[shape.size()];
      for (int d = index.length - 1; d >= 0; d--) {
        index[d] = rest % extents.get(d);
        rest /= extents.get(d);
      }
      for (int d = index.length - 1; d >= 0; d--) {
        wanted = wanted * extents.get(d) + index[d];
      }
      assertEquals(wanted, ElementType.U16.whole(rows.bytes(), i));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{'descr': '>f4', 'fortran_order': False, 'shape': (3,), };descr: '>f4' is not one of",
        "{'descr': '<f1', 'fortran_order': False, 'shape': (3,), };descr: '<f1' is not one of",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), };descr: records",
        "{'descr': '<f4', 'fortran_order': 1, 'shape': (3, 3), };fortran_order: must be",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,), };shape: an extent",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999999999999,), };shape: an"
            + " extent",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (999999999999, 999999999999), };shape: ",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (281474976710656,), };shape: ",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), };more than 8",
        "{'descr': '<f4', 'fortran_order': False, };are needed",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3,), };given twice",
        "{'descr': '<f4', 'other': False, 'shape': (3,), };unknown key 'other'",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), } + x;more text",
        "{'descr': '<f4', 'fortran_order': False, 'shape': __import__('os'), };'(' is expected",
        "[];'{' is expected",
        "{'descr: ;quoted text",
      })
  void refusesHostileHeadersByField(String header, String message) {
    FormatException e = assertThrows(FormatException.class, () -> read(file(1, header)));
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  @Test
  void refusesLengthsAndVersionsBeforeItBelievesThem() {
    byte[] long2 = file(2, GOOD);
    ByteBuffer.wrap(long2).order(ByteOrder.LITTLE_ENDIAN).putInt(8, 0x7fff_ffff);
    assertMessage(long2, "header length 2147483647 is above the limit of 65536");
    ByteBuffer.wrap(long2).order(ByteOrder.LITTLE_ENDIAN).putInt(8, -1);
    assertMessage(long2, "header length 4294967295");
    byte[] version = file(1, GOOD);
    version[6] = 4;
    assertMessage(version, "version 4.0");
    assertMessage(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, "magic word is missing");
    assertMessage(new byte[3], "ends within the magic word");
    byte[] whole = file(1, GOOD);
    assertMessage(java.util.Arrays.copyOf(whole, whole.length - 1), "ends within the header");
    assertMessage(java.util.Arrays.copyOf(whole, 9), "ends within the header's length");
  }

  @Property(tries = 2000)
  void anyBytesGiveAHeaderOrARefusal(@ForAll byte[] tail, @ForAll boolean magic) {
    byte[] bytes = magic ? file(1, new String(tail, StandardCharsets.ISO_8859_1)) : tail;
    try {
      assertTrue(read(bytes).dataBytes() >= 0);
    } catch (FormatException e) {
      assertTrue(e.getMessage().length() < 300, e.getMessage());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertMessage(byte[] file, String message) {
    FormatException e = assertThrows(FormatException.class, () -> read(file));
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  private static Npy.Header read(byte[] file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(file);
    return Npy.read(
        into -> {
          int count = Math.min(into.remaining(), bytes.remaining());
          into.put(bytes.slice(bytes.position(), count));
          bytes.position(bytes.position() + count);
          return count;
        });
  }

  private static byte[] file(int version, String header) {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    ByteBuffer file = ByteBuffer.allocate(12 + text.length).order(ByteOrder.LITTLE_ENDIAN);
    file.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) version, 0});
    if (version == 1) {
      file.putShort((short) text.length);
    } else {
      file.putInt(text.length);
    }
    file.put(text);
    return java.util.Arrays.copyOf(file.array(), file.position());
  }
}
