package io.isle.api.accel;

import java.nio.charset.StandardCharsets;

/**
 * A named text of a program of several files. Immutable. The constructor refuses a bad name or text
 * with an AccelException that names field and limit: EMSGSIZE for too many bytes, else EINVAL.
 *
 * @param name a relative path, as {@code #include} lines and messages of the compiler name the
 *     file; 1 to {@link #MAX_NAME_BYTES} bytes in UTF-8, parts separated by {@code /}, without the
 *     parts {@code .} and {@code ..}, control characters, double quotes and backslashes
 * @param text at most {@link ProgramSource#MAX_SOURCE_BYTES} in UTF-8, without NUL; may be empty
 */
public record SourceFile(String name, String text) {
  /** Longest name, in bytes of UTF-8. */
  public static final int MAX_NAME_BYTES = 255;

  public SourceFile {
    FileRules.checkName(name);
    FileRules.checkText(name, text);
  }

  /** Size of the text in bytes of UTF-8. */
  public int size() {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Without the text, which may be long. */
  @Override
  public String toString() {
    return name + " (" + size() + " bytes)";
  }
}
