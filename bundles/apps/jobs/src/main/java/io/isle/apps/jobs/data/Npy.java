package io.isle.apps.jobs.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The {@code .npy} format: a magic word, a version, a header of text, then the elements. Versions
 * 1.0 to 3.0 are read, 1.0 is written in C order; little-endian only. Files come from anywhere, so
 * every length is bounded before it is believed.
 */
public final class Npy {
  /** Longest header in bytes. */
  public static final int MAX_HEADER = 64 * 1024;

  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final int ALIGNMENT = 64;

  private Npy() {}

  /**
   * What the elements are.
   *
   * @param bytes of the file before its first element
   * @param columnMajor whether the first index runs fastest (Fortran's order), where that matters
   */
  public record Header(ElementType type, List<Long> shape, long bytes, boolean columnMajor) {
    public Header {
      shape = List.copyOf(shape);
    }

    /** Bytes of all elements. */
    public long dataBytes() {
      return Dims.elements(shape) * type.bytes();
    }
  }

  /**
   * Reads up to the first element.
   *
   * @throws FormatException naming the field that is wrong
   */
  public static Header read(ByteSource file) throws IOException {
    byte[] start = take(file, MAGIC.length + 2, "the magic word");
    for (int i = 0; i < MAGIC.length; i++) {
      if (start[i] != MAGIC[i]) {
        throw new FormatException("is not a .npy file: the magic word is missing");
      }
    }
    int major = start[MAGIC.length];
    int minor = start[MAGIC.length + 1];
    if (major < 1 || major > 3 || minor != 0) {
      throw new FormatException(
          "version "
              + (major & 0xff)
              + "."
              + (minor & 0xff)
              + " of the .npy format is not supported; use 1.0, 2.0 or 3.0");
    }
    int lengthBytes = major == 1 ? 2 : 4;
    ByteBuffer word =
        ByteBuffer.wrap(take(file, lengthBytes, "the header's length"))
            .order(ByteOrder.LITTLE_ENDIAN);
    long length = major == 1 ? word.getShort() & 0xffffL : word.getInt() & 0xffff_ffffL;
    if (length > MAX_HEADER) {
      throw new FormatException(
          "header length " + length + " is above the limit of " + MAX_HEADER + " bytes");
    }
    byte[] text = take(file, (int) length, "the header");
    NpyHeader header = NpyHeader.parse(new String(text, StandardCharsets.UTF_8));
    return checked(header, start.length + lengthBytes + length);
  }

  private static Header checked(NpyHeader header, long bytes) throws FormatException {
    ElementType type =
        ElementType.ofDescr(header.descr())
            .orElseThrow(
                () ->
                    new FormatException(
                        "descr: '" + header.descr() + "' is not one of " + ElementType.descrs()));
    try {
      if (Dims.elements(header.shape()) > Dims.MAX_BYTES / type.bytes()) {
        throw new ArithmeticException();
      }
    } catch (ArithmeticException e) {
      throw new FormatException(
          "shape: " + Dims.show(header.shape()) + " is more than " + Dims.MAX_BYTES + " bytes");
    }
    boolean ordered = header.shape().stream().filter(extent -> extent != 1).count() > 1;
    return new Header(type, header.shape(), bytes, header.fortranOrder() && ordered);
  }

  private static byte[] take(ByteSource file, int bytes, String what) throws IOException {
    byte[] taken = new byte[bytes];
    if (file.fill(ByteBuffer.wrap(taken)) < bytes) {
      throw new FormatException("the file ends within " + what + " of the .npy format");
    }
    return taken;
  }

  /** What stands before the elements, version 1.0; its length is a multiple of 64. */
  public static byte[] header(ElementType type, List<Long> shape) {
    return header(type, shape, 0);
  }

  /**
   * As the other, with room for extents that are not known yet.
   *
   * @param least shortest length in bytes
   */
  public static byte[] header(ElementType type, List<Long> shape, int least) {
    String extents =
        shape.stream().map(String::valueOf).collect(Collectors.joining(", "))
            + (shape.size() == 1 ? "," : "");
    String text =
        "{'descr': '" + type.descr() + "', 'fortran_order': False, 'shape': (" + extents + "), }";
    int start = MAGIC.length + 4;
    int total = Math.ceilDiv(Math.max(least, start + text.length() + 1), ALIGNMENT) * ALIGNMENT;
    ByteBuffer header = ByteBuffer.allocate(total).order(ByteOrder.LITTLE_ENDIAN);
    header.put(MAGIC).put((byte) 1).put((byte) 0).putShort((short) (total - start));
    header.put(text.getBytes(StandardCharsets.US_ASCII));
    while (header.remaining() > 1) {
      header.put((byte) ' ');
    }
    return header.put((byte) '\n').array();
  }
}
