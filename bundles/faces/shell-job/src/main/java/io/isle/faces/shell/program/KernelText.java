package io.isle.faces.shell.program;

import io.isle.api.accel.ArgumentKind;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.KernelInfo;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Descriptions of kernels for people and as JSON objects. Pure functions. */
public final class KernelText {
  private KernelText() {}

  /** The lines of one kernel. */
  public static List<String> lines(KernelInfo kernel, int width) {
    List<String> lines = new ArrayList<>();
    lines.add("kernel " + kernel.name());
    if (!kernel.isUsable()) {
      lines.add(fact("cannot be used", kernel.unusable()));
    }
    lines.add(fact("required size", size(kernel)));
    lines.add(fact("largest group", kernel.maxGroup() == 0 ? "-" : "" + kernel.maxGroup()));
    lines.add(fact("local memory", Sizes.bytes(kernel.localBytes())));
    lines.add(
        fact(
            "private memory",
            kernel.privateBytes() == 0 ? "-" : Sizes.bytes(kernel.privateBytes())));
    lines.add(
        fact("needs local", kernel.needsGroupSize().isEmpty() ? "-" : kernel.needsGroupSize()));
    if (!kernel.arguments().isEmpty()) {
      int room = width == 0 ? 0 : Math.max(1, width - 2);
      table().lines(kernel.arguments(), room).forEach(line -> lines.add("  " + line));
    }
    return lines;
  }

  private static String fact(String name, String value) {
    return String.format("  %-16s%s", name, value);
  }

  private static String size(KernelInfo kernel) {
    return kernel.groupSize().isEmpty()
        ? "-"
        : String.join(" x ", kernel.groupSize().stream().map(String::valueOf).toList());
  }

  private static Table<KernelInfo.Argument> table() {
    return new Table<KernelInfo.Argument>("")
        .column("name", argument -> known(argument.name()))
        .column("type", argument -> known(argument.type()))
        .column("kind", KernelText::kind)
        .column("access", KernelText::access)
        .column("bytes", argument -> argument.bytes() == 0 ? null : argument.bytes())
        .jsonOnly("element", argument -> argument.element().map(ArgumentKind::text).orElse(null))
        .jsonOnly("lanes", argument -> argument.lanes() == 0 ? null : argument.lanes());
  }

  private static String known(String text) {
    return text.isEmpty() ? null : text;
  }

  private static String kind(KernelInfo.Argument argument) {
    return argument.kind().map(ArgumentKind::text).orElse(null);
  }

  private static String access(KernelInfo.Argument argument) {
    return switch (argument.access()) {
      case Buffer.READ -> "read";
      case Buffer.WRITE -> "write";
      case Buffer.READ | Buffer.WRITE -> "read, write";
      default -> null;
    };
  }

  /** One kernel as a JSON object; null for what is not known or not there. */
  public static Map<String, Object> object(KernelInfo kernel) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("name", kernel.name());
    object.put("entry", kernel.entry());
    object.put("unusable", known(kernel.unusable()));
    object.put("required_size", kernel.groupSize().isEmpty() ? null : kernel.groupSize());
    object.put("max_group", kernel.maxGroup() == 0 ? null : kernel.maxGroup());
    object.put("local_bytes", kernel.localBytes());
    object.put("private_bytes", kernel.privateBytes() == 0 ? null : kernel.privateBytes());
    object.put("needs_local", known(kernel.needsGroupSize()));
    object.put("arguments", kernel.arguments().stream().map(table()::object).toList());
    return object;
  }
}
