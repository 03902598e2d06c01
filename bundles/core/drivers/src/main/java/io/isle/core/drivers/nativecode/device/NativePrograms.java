package io.isle.core.drivers.nativecode.device;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.Programs;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.Decoder;
import io.isle.core.drivers.nativecode.control.Lane;
import io.isle.core.drivers.nativecode.control.Segments;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.KabiStructs;
import io.isle.lib.kabi.WireStructs;
import io.isle.lib.shm.ChannelLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Programs of a native device. */
final class NativePrograms implements Programs {
  /** Longest source that goes in a message, which has room for headers and options, too. */
  static final int MAX_INLINE = ChannelLayout.CONTROL_BYTES - 4096 - WireStructs.OPTIONS_MAX;

  private static final int MAX_ENTRIES = 256;

  private final Lane lane;
  private final ControlClient control;
  private final Set<Kind> kinds;
  private final boolean launches;

  /** Longest name of a built-in program, without the NUL of its field. */
  private static final long MAX_NAME =
      KabiStructs.PROGRAM_ENTRY.offset("entry") - KabiStructs.PROGRAM_ENTRY.offset("name") - 1;

  /**
   * Entries of the built-in programs that were loaded: of one driver they are always the same. As
   * many as a driver may have: a host may take any name.
   */
  private final Map<String, List<ProgramEntry>> known = new ConcurrentHashMap<>();

  /**
   * @param launches whether a program may have kernels that need a launch alone
   */
  NativePrograms(Lane lane, ControlClient control, Set<Kind> kinds, boolean launches) {
    this.lane = lane;
    this.control = control;
    this.kinds = kinds;
    this.launches = launches;
  }

  /** How many built-in programs it need not ask about again. */
  int known() {
    return known.size();
  }

  @Override
  public Set<Kind> kinds() {
    return kinds;
  }

  @Override
  public List<ProgramEntry> builtins() {
    List<ProgramEntry> entries = new ArrayList<>();
    for (int i = 0; i < MAX_ENTRIES; i++) {
      var reply = control.exchange(ControlOp.BUILTIN, Segments.number(i), ControlClient.BOUND_NS);
      if (reply.result() == -Errno.ENOENT) {
        break;
      }
      if (reply.result() < 0) {
        throw ControlClient.refused(ControlOp.BUILTIN, reply.result(), "");
      }
      entries.add(Decoder.entry(reply.as(KabiStructs.PROGRAM_ENTRY, ControlOp.BUILTIN)));
    }
    return entries;
  }

  @Override
  public List<ProgramEntry> load(long context, long program, Kind kind, byte[] source) {
    return load(context, program, kind, source, "");
  }

  @Override
  public List<ProgramEntry> load(
      long context, long program, Kind kind, byte[] source, String options) {
    byte[] optionBytes = options.getBytes(StandardCharsets.UTF_8);
    checkLength("source", source.length, 1, WireStructs.SOURCE_MAX);
    checkLength("options", optionBytes.length, 0, WireStructs.OPTIONS_MAX);
    if (source.length <= MAX_INLINE) {
      send(
          ControlOp.LOAD_PROGRAM,
          ControlClient.BUILD_BOUND_NS,
          request(context, program, kind, optionBytes, source.length, 0),
          optionBytes,
          source);
    } else {
      try (SourceSegment _ = new SourceSegment(lane, control, source)) {
        send(
            ControlOp.LOAD_PROGRAM,
            ControlClient.BUILD_BOUND_NS,
            request(context, program, kind, optionBytes, source.length, Segments.SOURCE),
            optionBytes);
      }
    }
    return described(program, kind, source);
  }

  static void checkLength(String field, int length, int least, int most) {
    if (length < least || length > most) {
      throw new DriverException(
          length > most ? Errno.EMSGSIZE : Errno.EINVAL,
          field + ": " + length + " bytes; " + least + " to " + most + " are needed");
    }
  }

  private static byte[] request(
      long context, long program, Kind kind, byte[] options, int length, int segment) {
    CStruct type = WireStructs.LOAD_REQUEST;
    byte[] bytes = new byte[(int) type.size()];
    MemorySegment head = MemorySegment.ofArray(bytes);
    type.set(head, "context", context);
    type.set(head, "program", program);
    type.set(head, "kind", kind.ordinal() + 1);
    type.set(head, "length", length);
    type.set(head, "options_length", options.length);
    type.set(head, "segment", segment);
    return bytes;
  }

  /**
   * Has a program loaded, with the parts of a message one after the other.
   *
   * @param boundNs how long the driver may take
   */
  void send(ControlOp op, long boundNs, byte[]... parts) {
    byte[] body = new byte[Stream.of(parts).mapToInt(part -> part.length).sum()];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, body, at, part.length);
      at += part.length;
    }
    var reply = control.exchange(op, MemorySegment.ofArray(body), boundNs);
    if (reply.result() < 0) {
      throw ControlClient.refused(ControlOp.LOAD_PROGRAM, reply.result(), log(reply.body()));
    }
  }

  /** Entries of a program that has just been loaded; one that cannot be described is unloaded. */
  List<ProgramEntry> described(long program, Kind kind, byte[] source) {
    String name = kind == Kind.BUILTIN ? new String(source, StandardCharsets.UTF_8) : null;
    List<ProgramEntry> entries = name == null ? null : known.get(name);
    if (entries != null) {
      return entries;
    }
    boolean described = false;
    try {
      entries = describe(program);
      if (kind != Kind.HANDLERS && name == null && entries.isEmpty() && !launches) {
        throw new DriverException(
            Errno.EINVAL,
            "no kernel of the program can run in a dispatch; a dispatch has at most 16 arguments,"
                + " each a buffer or a scalar, and kernel names of at most 63 characters");
      }
      described = true;
    } finally {
      if (!described && lane.alive()) {
        var ignored =
            control.exchange(
                ControlOp.UNLOAD_PROGRAM, Segments.number(program), ControlClient.BOUND_NS);
      }
    }
    if (name != null && known.size() < MAX_ENTRIES && source.length <= MAX_NAME) {
      known.put(name, entries);
    }
    return entries;
  }

  private static String log(MemorySegment body) {
    CStruct type = WireStructs.LOAD_RESPONSE;
    if (body.byteSize() < type.size()) {
      return "";
    }
    long length = Math.min(type.get(body, "log_length"), body.byteSize() - type.size());
    byte[] text = body.asSlice(type.size(), length).toArray(ValueLayout.JAVA_BYTE);
    return new String(text, StandardCharsets.UTF_8).strip();
  }

  private List<ProgramEntry> describe(long program) {
    CStruct type = WireStructs.DESCRIBE_REQUEST;
    List<ProgramEntry> entries = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment body = arena.allocate(type.size(), 8);
      type.set(body, "program", program);
      for (int i = 0; i <= MAX_ENTRIES; i++) {
        type.set(body, "entry", i);
        var reply = control.exchange(ControlOp.DESCRIBE_PROGRAM, body, ControlClient.BOUND_NS);
        if (reply.result() == -Errno.ENOENT) {
          return entries;
        }
        if (reply.result() < 0) {
          throw ControlClient.refused(ControlOp.DESCRIBE_PROGRAM, reply.result(), "");
        }
        entries.add(Decoder.entry(reply.as(KabiStructs.PROGRAM_ENTRY, ControlOp.DESCRIBE_PROGRAM)));
      }
    }
    throw new DriverException(
        Errno.EPROTO, "the driver describes more than " + MAX_ENTRIES + " entries of a program");
  }

  @Override
  public void unload(long program) {
    var ignored = control.call(ControlOp.UNLOAD_PROGRAM, program);
  }
}
