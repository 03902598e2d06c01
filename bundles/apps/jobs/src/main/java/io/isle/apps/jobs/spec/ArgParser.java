package io.isle.apps.jobs.spec;

import io.isle.api.accel.CommandWriter;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.formula.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads {@code args} of a program. */
final class ArgParser {
  /** Most arguments of a kernel. */
  static final int MAX_ARGS = 64;

  private static final int MAX_DEPTH = 8;
  private static final int MAX_BYTES = CommandWriter.MAX_ARGUMENT_BYTES;

  private static final String[] FORMS =
      Stream.concat(
              Stream.of("raw", "local", "struct", "bytes"),
              Arrays.stream(ElementType.values()).map(ElementType::text))
          .toArray(String[]::new);

  private final Parameters parameters;
  private final Buffers buffers;
  private final Set<String> names;

  /**
   * @param names that formulas may use
   */
  ArgParser(Parameters parameters, Buffers buffers, Set<String> names) {
    this.parameters = parameters;
    this.buffers = buffers;
    this.names = names;
  }

  List<Arg> args(Located at) {
    return at == null ? List.of() : at.sequence(MAX_ARGS).stream().map(this::arg).toList();
  }

  private Arg arg(Located at) {
    if (at.isScalar()) {
      return plain(at, buffers.names());
    }
    if (!buffers.named()) {
      throw at.error("is allowed only with named buffers: 'in: {NAME: {file: ...}}'");
    }
    Map.Entry<String, Located> form = form(at);
    if (form.getKey().equals("raw")) {
      return raw(form.getValue());
    }
    if (form.getKey().equals("local")) {
      return new Arg.Local(size(form.getValue()), at);
    }
    TypedValue value = value(form, 1);
    if (value.bytes() > MAX_BYTES) {
      throw at.error(
          "has " + value.bytes() + " bytes; the limit of all arguments is " + MAX_BYTES + " bytes");
    }
    return new Arg.Typed(value, at);
  }

  private Arg.Raw raw(Located at) {
    String name = parameters.text(at);
    if (!buffers.names().contains(name)) {
      throw at.error(
          "'" + name + "' is not a buffer; the buffers are " + String.join(", ", buffers.names()));
    }
    return new Arg.Raw(name, at);
  }

  private static Map.Entry<String, Located> form(Located at) {
    Map<String, Located> keys = at.mapping(FORMS);
    if (keys.size() != 1) {
      throw at.error("needs one key of " + String.join(", ", FORMS));
    }
    return keys.entrySet().iterator().next();
  }

  private Buffers.Formula size(Located at) {
    String text = parameters.text(at);
    return Numbers.size(text).isPresent()
        ? OutputParser.formula(Long.toString(Numbers.size(text).getAsLong()), names, at)
        : OutputParser.formula(text, names, at);
  }

  private TypedValue value(Map.Entry<String, Located> form, int depth) {
    Located at = form.getValue();
    return switch (form.getKey()) {
      case "raw" -> throw at.error("a buffer cannot be a part of a value");
      case "local" -> throw at.error("local memory cannot be a part of a value");
      case "struct" -> struct(at, depth);
      case "bytes" -> bytes(at);
      default -> numbers(type(form.getKey()), at);
    };
  }

  private TypedValue struct(Located at, int depth) {
    if (depth > MAX_DEPTH) {
      throw at.error("is more than " + MAX_DEPTH + " levels deep");
    }
    List<TypedValue> members = new ArrayList<>();
    for (Located member : at.sequence(MAX_BYTES)) {
      members.add(value(form(member), depth + 1));
    }
    if (members.isEmpty()) {
      throw at.error("needs at least one member, such as {i32: 1}");
    }
    return new TypedValue.Struct(members);
  }

  private TypedValue bytes(Located at) {
    String digits = parameters.text(at);
    if (!digits.matches("([0-9A-Fa-f]{2})+")) {
      throw at.error("must be two hexadecimal digits for each byte, such as \"0a0b\"");
    }
    return new TypedValue.Bytes(digits);
  }

  private static ElementType type(String name) {
    return Arrays.stream(ElementType.values())
        .filter(type -> type.text().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private TypedValue numbers(ElementType type, Located at) {
    List<Located> lanes = at.isScalar() ? List.of(at) : at.sequence(MAX_BYTES);
    if (!at.isScalar() && !TypedValue.Numbers.LANES.contains(lanes.size())) {
      throw at.error(
          "has "
              + lanes.size()
              + " numbers; a vector has 2, 3, 4, 8 or 16, and a list of another length is a"
              + " {struct: [...]}");
    }
    return new TypedValue.Numbers(
        type, lanes.stream().map(each -> plain(each, List.of())).toList());
  }

  /** What is neither a number nor one of {@code others} is a formula. */
  private Arg.Plain plain(Located at, List<String> others) {
    String text = parameters.text(at);
    boolean formula =
        buffers.named() && (names.contains(text) || !isNumber(text)) && !others.contains(text);
    return new Arg.Plain(
        text, formula ? Optional.of(OutputParser.formula(text, names, at)) : Optional.empty(), at);
  }

  private static boolean isNumber(String text) {
    return Numbers.exact(text).isPresent() || Numbers.special(text).isPresent();
  }
}
