package io.isle.core.accel.device;

import io.isle.api.accel.ProgramKind;
import io.isle.api.accel.ProgramSource;
import io.isle.api.driver.Programs;
import java.nio.charset.StandardCharsets;

/** A program as drivers load it, kept so that the next device can load it, too. Immutable. */
public final class ProgramCode {
  private final Programs.Kind kind;
  private final byte[] bytes;
  private final String options;
  private final String label;
  private final int keptBytes;

  private ProgramCode(Programs.Kind kind, byte[] bytes, String options, String label) {
    this.kind = kind;
    this.bytes = bytes;
    this.options = options;
    this.label = label;
    this.keptBytes = bytes.length + utf8(options).length;
  }

  public static ProgramCode of(ProgramSource source) {
    return switch (source) {
      case ProgramSource.Builtin builtin ->
          new ProgramCode(Programs.Kind.BUILTIN, utf8(builtin.name()), "", builtin.name());
      case ProgramSource.OpenClC text ->
          built(Programs.Kind.OPENCL_C, utf8(text.source()), text.options());
      case ProgramSource.SpirV module -> built(Programs.Kind.SPIRV, module.module(), "");
      case ProgramSource.Ptx text -> built(Programs.Kind.PTX, text.text(), "");
    };
  }

  private static ProgramCode built(Programs.Kind kind, byte[] bytes, String options) {
    return new ProgramCode(
        kind, bytes, options, publicKind(kind).text() + " of " + bytes.length + " bytes");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  public static ProgramKind publicKind(Programs.Kind kind) {
    return switch (kind) {
      case BUILTIN -> ProgramKind.BUILTIN;
      case OPENCL_C -> ProgramKind.OPENCL_C;
      case SPIRV -> ProgramKind.SPIRV;
      case PTX -> ProgramKind.PTX;
    };
  }

  public Programs.Kind kind() {
    return kind;
  }

  /** Not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  public String options() {
    return options;
  }

  /** Bytes that the core keeps of it: source and options. */
  public int keptBytes() {
    return keptBytes;
  }

  /** For messages: a builtin's name, or kind and size. */
  public String label() {
    return label;
  }

  /** Whether a compiler must work on it, which may take long. */
  public boolean isBuilt() {
    return kind != Programs.Kind.BUILTIN;
  }
}
