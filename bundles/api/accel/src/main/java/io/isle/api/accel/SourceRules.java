package io.isle.api.accel;

import io.isle.api.base.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Checks of program sources. Pure functions. */
final class SourceRules {
  private static final int MODULE_HEADER_BYTES = 20;
  private static final int MODULE_MAGIC = 0x07230203;

  private static final int IMAGE_HEADER_BYTES = 52;
  private static final int IMAGE_MAGIC = 0x7f454c46;
  private static final byte IMAGE_OF_32_BITS = 1;

  private SourceRules() {}

  /**
   * Checks a text for compilers: length, and no NUL.
   *
   * @throws AccelException EINVAL or EMSGSIZE with the name of the field
   */
  static void checkText(String field, String value, int most) {
    checkLength(field, bytesOf(field, value, most), most);
    int nul = value.indexOf('\0');
    if (nul >= 0) {
      throw new AccelException(Errno.EINVAL, field + ": character " + nul + " is NUL");
    }
  }

  /** A copy with a valid length. Further checks use the copy, which the caller cannot change. */
  static byte[] bytes(String field, byte[] value) {
    if (value == null) {
      throw missing(field);
    }
    checkLength(field, value.length, ProgramSource.MAX_SOURCE_BYTES);
    return value.clone();
  }

  static void checkNoNul(String field, byte[] text) {
    for (int i = 0; i < text.length; i++) {
      if (text[i] == 0) {
        throw new AccelException(Errno.EINVAL, field + ": byte " + i + " is NUL");
      }
    }
  }

  /** Checks a SPIR-V module: whole words of 32 bits, and the magic number at the begin. */
  static void checkModule(String field, byte[] module) {
    if (module.length < MODULE_HEADER_BYTES || module.length % Integer.BYTES != 0) {
      throw new AccelException(
          Errno.EINVAL,
          field
              + ": "
              + module.length
              + " bytes are not a SPIR-V module: a multiple of 4, at least "
              + MODULE_HEADER_BYTES
              + ", is needed");
    }
    int first = ByteBuffer.wrap(module).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (first != MODULE_MAGIC && Integer.reverseBytes(first) != MODULE_MAGIC) {
      throw new AccelException(
          Errno.EINVAL,
          String.format("%s: begins with 0x%08x, not with 0x%08x", field, first, MODULE_MAGIC));
    }
  }

  /** Checks the begin of an image of handlers; the device checks the rest. */
  static void checkImage(String field, byte[] image) {
    if (image.length < IMAGE_HEADER_BYTES
        || ByteBuffer.wrap(image).getInt() != IMAGE_MAGIC
        || image[Integer.BYTES] != IMAGE_OF_32_BITS) {
      throw new AccelException(
          Errno.EINVAL,
          field
              + ": "
              + image.length
              + " bytes are not an ELF file of 32 bits; a file of spin-cc is needed");
    }
  }

  static void checkOptions(String value) {
    int length = bytesOf("options", value, ProgramSource.MAX_OPTIONS_BYTES);
    if (length > 0) {
      checkLength("options", length, ProgramSource.MAX_OPTIONS_BYTES);
    }
    checkOneLine("options", value);
  }

  static void checkOneLine(String field, String value) {
    for (int i = 0; i < value.length(); i++) {
      if (Character.isISOControl(value.charAt(i)) && value.charAt(i) != '\t') {
        throw new AccelException(
            Errno.EINVAL,
            String.format(
                "%s: character %d is the control U+%04X", field, i, (int) value.charAt(i)));
      }
    }
  }

  /** Bytes of a text in UTF-8. */
  private static int bytesOf(String field, String value, int most) {
    if (value == null) {
      throw missing(field);
    }
    // too many characters are too many bytes, and need no copy to be found out
    if (value.length() > most) {
      throw tooLong(field, value.length() + " characters", most);
    }
    try {
      return StandardCharsets.UTF_8
          .newEncoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .encode(CharBuffer.wrap(value))
          .remaining();
    } catch (CharacterCodingException e) {
      throw new AccelException(
          Errno.EINVAL,
          field + ": contains half of a surrogate pair, which UTF-8 cannot encode",
          e);
    }
  }

  private static void checkLength(String field, int length, int most) {
    if (length == 0) {
      throw new AccelException(
          Errno.EINVAL, field + ": is empty; 1 to " + most + " bytes are needed");
    }
    if (length > most) {
      throw tooLong(field, length + " bytes", most);
    }
  }

  private static AccelException tooLong(String field, String length, int most) {
    return new AccelException(
        Errno.EMSGSIZE, field + ": " + length + " are too long; the limit is " + most + " bytes");
  }

  private static AccelException missing(String field) {
    return new AccelException(Errno.EINVAL, field + ": is missing");
  }
}
