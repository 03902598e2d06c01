package io.isle.sim;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A value of the file that knows where it stands, so that each mistake can say so. */
final class Field {
  private static final int MAX_TEXT = 4096;
  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,19}");
  private static final Pattern REAL = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");

  private final String file;
  private final Node node;
  private final String path;

  Field(String file, Node node, String path) {
    this.file = file;
    this.node = node;
    this.path = path;
  }

  /** A mistake in the form, here. */
  SimException error(String message) {
    return SimException.usage(located(message));
  }

  /** What stands here is well formed, and refused as it would be live. */
  SimException refused(String message) {
    return SimException.failed(located(message));
  }

  private String located(String message) {
    return text(file, node.getStartMark().orElse(null), path, message);
  }

  static String text(String file, Mark mark, String path, String message) {
    int line = mark == null ? 1 : mark.getLine() + 1;
    int column = mark == null ? 1 : mark.getColumn() + 1;
    return file + ":" + line + ":" + column + ": " + (path.isEmpty() ? "" : path + ": ") + message;
  }

  boolean isMapping() {
    return node instanceof MappingNode;
  }

  boolean isSequence() {
    return node instanceof SequenceNode;
  }

  /** Entries by key; a key outside {@code allowed} is a mistake. */
  Map<String, Field> mapping(String... allowed) {
    Map<String, Field> entries = entries(Integer.MAX_VALUE);
    List<String> names = List.of(allowed);
    entries.forEach(
        (key, value) -> {
          if (!names.contains(key)) {
            throw value.error("unknown key; allowed here: " + String.join(", ", names));
          }
        });
    return entries;
  }

  /** Entries in the order of the file, with keys of the author's choice. */
  Map<String, Field> entries(int max) {
    if (!(node instanceof MappingNode mapping)) {
      throw error("must be a mapping (key: value)");
    }
    if (mapping.getValue().size() > max) {
      throw error("has " + mapping.getValue().size() + " entries; the limit is " + max);
    }
    Map<String, Field> entries = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode key) || key.getValue().length() > MAX_TEXT) {
        throw new Field(file, tuple.getKeyNode(), path).error("a key must be a short text");
      }
      String name = path.isEmpty() ? key.getValue() : path + "." + key.getValue();
      if (entries.put(key.getValue(), new Field(file, tuple.getValueNode(), name)) != null) {
        throw new Field(file, key, name).error("is given twice");
      }
    }
    return entries;
  }

  /** A key that must be there. */
  Field needed(Map<String, Field> entries, String key) {
    Field field = entries.get(key);
    if (field == null) {
      throw error("the key '" + key + "' is missing");
    }
    return field;
  }

  List<Field> sequence(int min, int max) {
    if (!(node instanceof SequenceNode sequence)) {
      throw error("must be a list");
    }
    List<Node> nodes = sequence.getValue();
    if (nodes.size() < min || nodes.size() > max) {
      throw error("has " + nodes.size() + " entries; " + min + " to " + max + " are allowed");
    }
    List<Field> items = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      items.add(new Field(file, nodes.get(i), path + "[" + i + "]"));
    }
    return items;
  }

  String text() {
    if (!(node instanceof ScalarNode scalar)) {
      throw error("must be a single value");
    }
    if (Tag.NULL.equals(scalar.getTag())) {
      throw error("needs a value");
    }
    if (scalar.getValue().length() > MAX_TEXT) {
      throw error("is longer than " + MAX_TEXT + " characters");
    }
    return scalar.getValue();
  }

  /** A value of a group's key: what stands in a settings file; nothing is the empty text. */
  String setting() {
    return node instanceof ScalarNode scalar && Tag.NULL.equals(scalar.getTag()) ? "" : text();
  }

  long whole(long min, long max) {
    String text = text();
    if (!WHOLE.matcher(text).matches()) {
      throw error("'" + text + "' is not a whole number");
    }
    // longer than a long is out of every range
    BigInteger whole = new BigInteger(text);
    long value = whole.bitLength() < Long.SIZE ? whole.longValue() : max;
    if (whole.bitLength() >= Long.SIZE || value < min || value > max) {
      throw error(text + " is not within " + min + " to " + max);
    }
    return value;
  }

  /** A number from 0 to 1. */
  double fraction() {
    String text = text();
    if (!REAL.matcher(text).matches()) {
      throw error("'" + text + "' is not a number from 0 to 1, such as 0.01");
    }
    double value = Double.parseDouble(text);
    if (value > 1) {
      throw error(text + " is not within 0 to 1");
    }
    return value;
  }

  boolean flag() {
    return switch (text()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw error("'" + text() + "' is neither true nor false");
    };
  }

  /** One of an enum's names in lower case. */
  <E extends Enum<E>> E oneOf(Class<E> type) {
    List<String> names = new ArrayList<>();
    for (E value : type.getEnumConstants()) {
      String name = value.name().toLowerCase(Locale.ROOT);
      if (name.equals(text())) {
        return value;
      }
      names.add(name);
    }
    throw error("'" + text() + "' is not one of " + String.join(", ", names));
  }

  /** A time such as 20us or 1.5s, in nanoseconds. */
  long duration(long min, long max) {
    long ns =
        Durations.parse(text())
            .orElseThrow(
                () -> error("'" + text() + "' is no time; write 500ns, 20us, 1.5ms or 10s"));
    if (ns < min || ns > max) {
      throw error(text() + " is not within " + Durations.text(min) + " to " + Durations.text(max));
    }
    return ns;
  }
}
