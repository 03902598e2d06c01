package io.isle.core.accel.device;

import io.isle.api.accel.ProgramKind;
import io.isle.api.accel.ProgramSource;
import io.isle.api.accel.SourceFile;
import io.isle.api.driver.ProgramSources;
import io.isle.api.driver.Programs;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A program as drivers load it, kept so that the next device can load it, too. Immutable. */
public final class ProgramCode {
  private static final int FILES_A_BUILD = 8;

  private final Programs.Kind kind;
  private final byte[] bytes;
  private final List<ProgramSources.File> files;
  private final List<ProgramSources.File> headers;
  private final String options;
  private final String label;

  private ProgramCode(
      Programs.Kind kind,
      byte[] bytes,
      List<ProgramSources.File> files,
      List<ProgramSources.File> headers,
      String options,
      String label) {
    this.kind = kind;
    this.bytes = bytes;
    this.files = files;
    this.headers = headers;
    this.options = options;
    this.label = label;
  }

  public static ProgramCode of(ProgramSource source) {
    return switch (source) {
      case ProgramSource.Builtin builtin ->
          single(Programs.Kind.BUILTIN, utf8(builtin.name()), "", builtin.name());
      case ProgramSource.OpenClC text ->
          built(Programs.Kind.OPENCL_C, utf8(text.source()), text.options());
      case ProgramSource.OpenClFiles files -> ofFiles(files);
      case ProgramSource.SpirV module -> built(Programs.Kind.SPIRV, module.module(), "");
      case ProgramSource.Ptx text -> built(Programs.Kind.PTX, text.text(), "");
      case ProgramSource.Handlers handlers ->
          single(Programs.Kind.HANDLERS, handlers.image(), "", "handlers " + handlers.name());
    };
  }

  private static ProgramCode built(Programs.Kind kind, byte[] bytes, String options) {
    return single(kind, bytes, options, publicKind(kind).text() + " of " + bytes.length + " bytes");
  }

  private static ProgramCode single(
      Programs.Kind kind, byte[] bytes, String options, String label) {
    return new ProgramCode(kind, bytes, List.of(), List.of(), options, label);
  }

  private static ProgramCode ofFiles(ProgramSource.OpenClFiles source) {
    int count = source.files().size() + source.headers().size();
    String label = source.kind().text() + " of " + source.size() + " bytes in " + count + " files";
    return new ProgramCode(
        Programs.Kind.OPENCL_C,
        new byte[0],
        files(source.files()),
        files(source.headers()),
        source.options(),
        label);
  }

  private static List<ProgramSources.File> files(List<SourceFile> some) {
    return some.stream()
        .map(file -> new ProgramSources.File(file.name(), utf8(file.text())))
        .toList();
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
      case HANDLERS -> ProgramKind.HANDLERS;
    };
  }

  public Programs.Kind kind() {
    return kind;
  }

  /** Not to be changed; empty for several files. */
  public byte[] bytes() {
    return bytes;
  }

  /** Files to be compiled; empty for a single source. */
  public List<ProgramSources.File> files() {
    return files;
  }

  public List<ProgramSources.File> headers() {
    return headers;
  }

  public String options() {
    return options;
  }

  /** Bytes of the source, or of all texts. */
  public int size() {
    return bytes.length + sum(files, false) + sum(headers, false);
  }

  /** Bytes that the core keeps of it: source or texts, names of files and options. */
  public int keptBytes() {
    return bytes.length + sum(files, true) + sum(headers, true) + utf8(options).length;
  }

  private static int sum(List<ProgramSources.File> some, boolean names) {
    return some.stream()
        .mapToInt(file -> file.text().length + (names ? utf8(file.name()).length : 0))
        .sum();
  }

  /** For messages: a builtin's name, or kind, size and number of files. */
  public String label() {
    return label;
  }

  /** Units of time that a compiler may need: one for each eight files; 0 for a builtin. */
  public int builds() {
    return isBuilt() ? 1 + Math.max(0, files.size() - 1) / FILES_A_BUILD : 0;
  }

  /** Whether a compiler must work on it, which may take long. */
  public boolean isBuilt() {
    return kind != Programs.Kind.BUILTIN;
  }
}
