package io.isle.apps.jobs;

import io.isle.api.accel.ArgumentKind;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.KernelInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A line of a program's source: {@code NAME | KEY: VALUE | ...}, with {@code needs}, {@code
 * requires}, {@code max}, {@code unusable} of the kernel, {@code mutable} for buffers none of which
 * is const, and {@code args} of a {@code probe}, before the buffers (a second one with {@code
 * out}): {@code NAME TYPE BYTES ELEMENT LANES, ...}; or so many {@code buffers} and {@code
 * numbers}, the first {@code written} buffers not const. Of {@code untyped} buffers nobody knows
 * the elements.
 */
record FakeKernel(String name, Map<String, String> keys) {
  static FakeKernel parse(String line) {
    String[] parts = line.split("\\|", -1);
    Map<String, String> keys = new HashMap<>();
    for (String part : Arrays.asList(parts).subList(1, parts.length)) {
      int colon = part.indexOf(':');
      keys.put(
          (colon < 0 ? part : part.substring(0, colon)).strip(),
          colon < 0 ? "" : part.substring(colon + 1).strip());
    }
    return new FakeKernel(parts[0].strip(), keys);
  }

  KernelInfo info(int entry) {
    List<Integer> required =
        keys.containsKey("requires")
            ? Arrays.stream(keys.get("requires").split(" ", -1)).map(Integer::valueOf).toList()
            : List.of();
    return new KernelInfo(
        name.replace('-', '_'),
        entry,
        required,
        Integer.parseInt(keys.getOrDefault("max", "0")),
        0,
        0,
        keys.getOrDefault("needs", ""),
        keys.getOrDefault("unusable", ""),
        keys.containsKey("args") ? declared() : keys.containsKey("buffers") ? many() : arguments());
  }

  private List<KernelInfo.Argument> many() {
    int buffers = Integer.parseInt(keys.get("buffers"));
    int numbers = Integer.parseInt(keys.get("numbers"));
    int written = Integer.parseInt(keys.getOrDefault("written", "0"));
    return Stream.of(
            Collections.nCopies(written, argument("buffer")),
            Collections.nCopies(buffers - written, argument("const")),
            Collections.nCopies(numbers, argument("i32")))
        .flatMap(List::stream)
        .toList();
  }

  private List<KernelInfo.Argument> arguments() {
    return FakePrograms.arguments(name).stream().map(this::argument).toList();
  }

  private KernelInfo.Argument argument(String kind) {
    if (kind.equals("buffer") || kind.equals("const")) {
      boolean constant = kind.equals("const") && !keys.containsKey("mutable");
      return buffer(constant ? Buffer.READ : Buffer.READ | Buffer.WRITE);
    }
    ArgumentKind scalar = kind(kind);
    int bytes = kind.endsWith("64") ? 8 : 4;
    return new KernelInfo.Argument(
        "s", kind, Optional.of(scalar), 0, bytes, Optional.of(scalar), 1);
  }

  /** Of the elements that the name ends with; floats unless the name is that of a builtin. */
  private KernelInfo.Argument buffer(int access) {
    boolean integers = name.endsWith("-u32") || name.endsWith("-u8");
    boolean floats = name.endsWith("-f32") || !FakePrograms.ENTRIES.containsKey(name);
    boolean known = !keys.containsKey("untyped") && (integers || floats);
    int bytes = name.endsWith("-u8") ? 1 : 4;
    String type = !known ? "item*" : !integers ? "float*" : bytes == 1 ? "uchar*" : "uint*";
    return new KernelInfo.Argument(
        "b",
        type,
        Optional.of(ArgumentKind.BUFFER),
        access,
        known ? bytes : 0,
        known ? Optional.of(integers ? ArgumentKind.U32 : ArgumentKind.F32) : Optional.empty(),
        known ? 1 : 0);
  }

  private static ArgumentKind kind(String text) {
    return ArgumentKind.valueOf(text.toUpperCase(java.util.Locale.ROOT));
  }

  private List<KernelInfo.Argument> declared() {
    List<KernelInfo.Argument> arguments = new ArrayList<>();
    for (String text : keys.get("args").split(", ?", -1)) {
      String[] words = text.split(" ", -1);
      String type = words[1];
      int lanes = Integer.parseInt(words[4]);
      Optional<ArgumentKind> element =
          words[3].equals("none") ? Optional.empty() : Optional.of(kind(words[3]));
      ArgumentKind kind =
          type.endsWith("*")
              ? ArgumentKind.LOCAL
              : lanes == 1 && element.isPresent() ? element.get() : ArgumentKind.BYTES;
      arguments.add(
          new KernelInfo.Argument(
              words[0], type, Optional.of(kind), 0, Integer.parseInt(words[2]), element, lanes));
    }
    arguments.add(argument("const"));
    if (keys.containsKey("out")) {
      arguments.add(argument("buffer"));
    }
    return arguments;
  }
}
