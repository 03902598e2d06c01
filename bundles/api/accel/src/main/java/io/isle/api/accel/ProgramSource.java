package io.isle.api.accel;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The source of a program. The core keeps the source to load the program again. Immutable: bytes
 * are copied on input and output. The constructors refuse a source that no device accepts with an
 * AccelException that names field and limit: EMSGSIZE for a source that is too long, else EINVAL.
 */
public sealed interface ProgramSource {
  /** Longest name of a built-in program, in bytes of UTF-8. */
  int MAX_NAME_BYTES = 63;

  /** Longest source (text in UTF-8), file or module: 1 MiB. */
  int MAX_SOURCE_BYTES = 1 << 20;

  /** Most files of a program, headers included. */
  int MAX_FILES = 64;

  /** Most bytes of the texts of a program's files, headers included: 4 MiB. */
  int MAX_PROGRAM_BYTES = 4 << 20;

  /** Longest build options, in bytes of UTF-8. */
  int MAX_OPTIONS_BYTES = 4096;

  /** The kind of source, which the device must support. */
  ProgramKind kind();

  /** Size of the name, source or module in bytes; of several files, the sum. */
  int size();

  /**
   * A built-in program of the device's driver.
   *
   * @param name 1 to {@link #MAX_NAME_BYTES} bytes in UTF-8; one line
   */
  record Builtin(String name) implements ProgramSource {
    public Builtin {
      SourceRules.checkText("name", name, MAX_NAME_BYTES);
      SourceRules.checkOneLine("name", name);
    }

    @Override
    public ProgramKind kind() {
      return ProgramKind.BUILTIN;
    }

    @Override
    public int size() {
      return name.getBytes(StandardCharsets.UTF_8).length;
    }
  }

  /**
   * Source text in OpenCL C.
   *
   * @param source 1 byte to {@link #MAX_SOURCE_BYTES} in UTF-8
   * @param options compiler options, such as {@code -DN=4}; one line, may be empty
   */
  record OpenClC(String source, String options) implements ProgramSource {
    public OpenClC {
      SourceRules.checkText("source", source, MAX_SOURCE_BYTES);
      SourceRules.checkOptions(options);
    }

    /** A source without options. */
    public OpenClC(String source) {
      this(source, "");
    }

    @Override
    public ProgramKind kind() {
      return ProgramKind.OPENCL_C;
    }

    @Override
    public int size() {
      return source.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Without the source, which may be long. */
    @Override
    public String toString() {
      return "OpenClC[" + size() + " bytes, options=" + options + "]";
    }
  }

  /**
   * Files in OpenCL C, compiled each and linked to one program. A text includes another one by
   * {@code #include "name"}, with the name relative to the including file or to the root of all
   * names. Together at most {@link #MAX_FILES} files and {@link #MAX_PROGRAM_BYTES} of texts; no
   * name appears twice or is a folder of another name. The device must support OPENCL_C and
   * programs of several files.
   *
   * @param files to be compiled, at least 1
   * @param headers only to be included
   * @param options compiler options for all files, such as {@code -DN=4}; one line, may be empty
   */
  record OpenClFiles(List<SourceFile> files, List<SourceFile> headers, String options)
      implements ProgramSource {
    public OpenClFiles {
      files = FileRules.copy("files", files);
      headers = FileRules.copy("headers", headers);
      FileRules.checkProgram(files, headers);
      SourceRules.checkOptions(options);
    }

    @Override
    public ProgramKind kind() {
      return ProgramKind.OPENCL_C;
    }

    @Override
    public int size() {
      int sum = 0;
      for (List<SourceFile> some : List.of(files, headers)) {
        sum += some.stream().mapToInt(SourceFile::size).sum();
      }
      return sum;
    }

    /** Without names and texts, which may be long. */
    @Override
    public String toString() {
      return "OpenClFiles["
          + files.size()
          + " files, "
          + headers.size()
          + " headers, "
          + size()
          + " bytes, options="
          + options
          + "]";
    }
  }

  /** A SPIR-V module: words of 32 bits in either byte order, 20 bytes to 1 MiB. */
  final class SpirV implements ProgramSource {
    private final byte[] module;

    /**
     * @param module copied
     * @throws AccelException EINVAL or EMSGSIZE
     */
    public SpirV(byte[] module) {
      this.module = SourceRules.bytes("module", module);
      SourceRules.checkModule("module", this.module);
    }

    /** A copy of the module. */
    public byte[] module() {
      return module.clone();
    }

    @Override
    public ProgramKind kind() {
      return ProgramKind.SPIRV;
    }

    @Override
    public int size() {
      return module.length;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof SpirV same && Arrays.equals(module, same.module);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(module);
    }

    @Override
    public String toString() {
      return "SpirV[" + module.length + " bytes]";
    }
  }

  /** PTX assembly, 1 byte to 1 MiB, without NUL. */
  final class Ptx implements ProgramSource {
    private final byte[] text;

    /**
     * @param text copied
     * @throws AccelException EINVAL or EMSGSIZE
     */
    public Ptx(byte[] text) {
      this.text = SourceRules.bytes("text", text);
      SourceRules.checkNoNul("text", this.text);
    }

    /** A copy of the text. */
    public byte[] text() {
      return text.clone();
    }

    @Override
    public ProgramKind kind() {
      return ProgramKind.PTX;
    }

    @Override
    public int size() {
      return text.length;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Ptx same && Arrays.equals(text, same.text);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(text);
    }

    @Override
    public String toString() {
      return "Ptx[" + text.length + " bytes]";
    }
  }

  /**
   * Handlers of packets: an image that {@code spin-cc} makes, 52 bytes to 1 MiB. Devices have lower
   * limits for the memory of an image. No submission uses the program.
   */
  final class Handlers implements ProgramSource {
    private final byte[] image;
    private final String name;

    /**
     * @param image copied
     * @param name for messages, 1 to {@link #MAX_NAME_BYTES} bytes in UTF-8; one line
     * @throws AccelException EINVAL or EMSGSIZE
     */
    public Handlers(byte[] image, String name) {
      SourceRules.checkText("name", name, MAX_NAME_BYTES);
      SourceRules.checkOneLine("name", name);
      this.name = name;
      this.image = SourceRules.bytes("image", image);
      SourceRules.checkImage("image", this.image);
    }

    /** A copy of the image. */
    public byte[] image() {
      return image.clone();
    }

    /** The name for messages. */
    public String name() {
      return name;
    }

    @Override
    public ProgramKind kind() {
      return ProgramKind.HANDLERS;
    }

    @Override
    public int size() {
      return image.length;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Handlers same
          && name.equals(same.name)
          && Arrays.equals(image, same.image);
    }

    @Override
    public int hashCode() {
      return 31 * name.hashCode() + Arrays.hashCode(image);
    }

    @Override
    public String toString() {
      return "Handlers[" + name + ", " + image.length + " bytes]";
    }
  }
}
