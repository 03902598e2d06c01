package io.isle.core.drivers.nativecode.device;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.ProgramSources;
import io.isle.api.driver.Programs;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.Lane;
import io.isle.core.drivers.nativecode.control.Segments;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.WireStructs;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Programs of several files of a native device. */
final class NativeSources implements ProgramSources {
  /** Each is compiled, and perhaps once more for its types: that many in the time of a source. */
  private static final int FILES_A_BOUND = 8;

  private final Lane lane;
  private final ControlClient control;
  private final NativePrograms programs;

  NativeSources(Lane lane, ControlClient control, NativePrograms programs) {
    this.lane = lane;
    this.control = control;
    this.programs = programs;
  }

  @Override
  public List<ProgramEntry> load(
      long context, long program, List<File> files, List<File> headers, String options) {
    byte[] optionBytes = options.getBytes(StandardCharsets.UTF_8);
    NativePrograms.checkLength("options", optionBytes.length, 0, WireStructs.OPTIONS_MAX);
    List<File> all = new ArrayList<>(files);
    all.addAll(headers);
    byte[] bytes = bytes(all);
    byte[] head = new byte[(int) WireStructs.FILES_REQUEST.size()];
    CStruct type = WireStructs.FILES_REQUEST;
    MemorySegment request = MemorySegment.ofArray(head);
    type.set(request, "context", context);
    type.set(request, "program", program);
    type.set(request, "file_count", files.size());
    type.set(request, "header_count", headers.size());
    type.set(request, "options_length", optionBytes.length);
    type.set(request, "length", bytes.length);
    long boundNs =
        ControlClient.BUILD_BOUND_NS * (1 + Math.max(0, files.size() - 1) / FILES_A_BOUND);
    if (bytes.length <= NativePrograms.MAX_INLINE) {
      programs.send(ControlOp.LOAD_FILES, boundNs, head, optionBytes, bytes);
    } else {
      type.set(request, "segment", Segments.SOURCE);
      try (SourceSegment _ = new SourceSegment(lane, control, bytes)) {
        programs.send(ControlOp.LOAD_FILES, boundNs, head, optionBytes);
      }
    }
    return programs.described(program, Programs.Kind.OPENCL_C, new byte[0]);
  }

  /** The table of all files, then the name and text of each. */
  private static byte[] bytes(List<File> files) {
    CStruct type = WireStructs.FILE_ENTRY;
    if (files.size() > WireStructs.SOURCE_FILES) {
      throw new DriverException(
          Errno.EMSGSIZE,
          "files: " + files.size() + "; at most " + WireStructs.SOURCE_FILES + " are allowed");
    }
    List<byte[]> names = new ArrayList<>();
    long size = files.size() * type.size();
    for (File file : files) {
      byte[] name = file.name().getBytes(StandardCharsets.UTF_8);
      NativePrograms.checkLength("name", name.length, 1, WireStructs.FILE_NAME_MAX);
      NativePrograms.checkLength(file.name(), file.text().length, 0, WireStructs.FILE_MAX);
      names.add(name);
      size += name.length + file.text().length;
    }
    byte[] all = new byte[(int) size];
    MemorySegment table = MemorySegment.ofArray(all);
    int at = files.size() * (int) type.size();
    for (int i = 0; i < files.size(); i++) {
      byte[] name = names.get(i);
      byte[] text = files.get(i).text();
      MemorySegment entry = table.asSlice(i * type.size(), type.size());
      type.set(entry, "name_length", name.length);
      type.set(entry, "text_length", text.length);
      System.arraycopy(name, 0, all, at, name.length);
      System.arraycopy(text, 0, all, at + name.length, text.length);
      at += name.length + text.length;
    }
    return all;
  }
}
