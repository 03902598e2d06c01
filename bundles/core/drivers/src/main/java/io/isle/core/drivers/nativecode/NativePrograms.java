package io.isle.core.drivers.nativecode;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.Programs;
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

/** Programs of a native device. */
final class NativePrograms implements Programs {
  /** Longest source: what a control message holds, less its headers. */
  static final int MAX_SOURCE = ChannelLayout.CONTROL_BYTES - 4096;

  private static final int MAX_ENTRIES = 256;

  private final ControlClient control;

  /** Entries of the built-in programs that were loaded: of one driver they are always the same. */
  private final Map<String, List<ProgramEntry>> known = new ConcurrentHashMap<>();

  NativePrograms(ControlClient control) {
    this.control = control;
  }

  @Override
  public Set<Kind> kinds() {
    return Set.of(Kind.BUILTIN);
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
    if (source.length > MAX_SOURCE) {
      throw new DriverException(
          Errno.EMSGSIZE, "source: " + source.length + " bytes; the limit is " + MAX_SOURCE);
    }
    try (Arena arena = Arena.ofConfined()) {
      CStruct type = WireStructs.LOAD_REQUEST;
      MemorySegment body = arena.allocate(type.size() + source.length, 8);
      type.set(body, "context", context);
      type.set(body, "program", program);
      type.set(body, "kind", kind.ordinal() + 1);
      type.set(body, "length", source.length);
      MemorySegment.copy(source, 0, body, ValueLayout.JAVA_BYTE, type.size(), source.length);
      var reply = control.exchange(ControlOp.LOAD_PROGRAM, body, ControlClient.BUILD_BOUND_NS);
      if (reply.result() < 0) {
        throw ControlClient.refused(ControlOp.LOAD_PROGRAM, reply.result(), log(reply.body()));
      }
    }
    if (kind != Kind.BUILTIN) {
      return describe(program);
    }
    String name = new String(source, StandardCharsets.UTF_8);
    List<ProgramEntry> entries = known.get(name);
    if (entries == null) {
      entries = describe(program);
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
      for (int i = 0; i < MAX_ENTRIES; i++) {
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
    return entries;
  }

  @Override
  public void unload(long program) {
    var ignored = control.call(ControlOp.UNLOAD_PROGRAM, program);
  }
}
