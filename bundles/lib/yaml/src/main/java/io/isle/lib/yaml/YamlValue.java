package io.isle.lib.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A value of a file that knows where it stands, so that each mistake can say so. What is asked of a
 * value and is not there is a mistake: an {@link #error} is thrown. Immutable.
 *
 * @param <V> the kind of values of the file, which extends this class
 */
public abstract class YamlValue<V extends YamlValue<V>> {
  /** Longest scalar and key in characters. */
  public static final int MAX_TEXT = 4096;

  private final YamlNode at;
  private final Function<YamlNode, V> values;

  /**
   * @param values makes a value of the same kind of what stands elsewhere
   */
  protected YamlValue(YamlNode at, Function<YamlNode, V> values) {
    this.at = at;
    this.values = values;
  }

  /** A mistake at this place: the message is {@link #located}. */
  public abstract RuntimeException error(String message);

  /** The message behind {@code FILE:LINE:COLUMN: FIELD: }. */
  protected final String located(String message) {
    return at.located(message);
  }

  /** Its line in the file, from 1. */
  protected final int line() {
    return at.line();
  }

  /** The field as in {@code steps[0].args}; empty for the whole file. */
  public final String path() {
    return at.path;
  }

  public final boolean isMapping() {
    return at.node instanceof MappingNode;
  }

  /** Whether it is a mapping with a mapping among its values. */
  public final boolean hasMappings() {
    return at.node instanceof MappingNode mapping
        && mapping.getValue().stream()
            .anyMatch(tuple -> tuple.getValueNode() instanceof MappingNode);
  }

  public final boolean isScalar() {
    return at.node instanceof ScalarNode;
  }

  /** Whether nothing stands there: {@code key:}. */
  public final boolean isEmpty() {
    return at.node instanceof ScalarNode scalar && Tag.NULL.equals(scalar.getTag());
  }

  /** Entries by key in the order of the file; a key outside {@code allowed} is a mistake. */
  public final Map<String, V> mapping(String... allowed) {
    Map<String, V> entries = entries();
    List<String> names = List.of(allowed);
    entries.forEach(
        (key, value) -> {
          if (!names.contains(key)) {
            throw value.error("unknown key; allowed here: " + String.join(", ", names));
          }
        });
    return entries;
  }

  /** All entries in the order of the file, with keys of the author's choice. */
  protected final Map<String, V> entries() {
    if (!(at.node instanceof MappingNode mapping)) {
      throw error("must be a mapping (key: value)");
    }
    Map<String, V> entries = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode key) || key.getValue().length() > MAX_TEXT) {
        throw value(at.path, tuple.getKeyNode()).error("a key must be a short text");
      }
      String name = key.getValue();
      String field = at.path.isEmpty() ? name : at.path + "." + name;
      if (entries.put(name, value(field, tuple.getValueNode())) != null) {
        throw value(field, key).error("is given twice");
      }
    }
    return entries;
  }

  /** All items of a list. */
  protected final List<V> items() {
    if (!(at.node instanceof SequenceNode sequence)) {
      throw error("must be a list");
    }
    List<V> items = new ArrayList<>();
    for (Node item : sequence.getValue()) {
      items.add(value(at.path + "[" + items.size() + "]", item));
    }
    return items;
  }

  /** The text of a scalar, as it stands in the file. */
  public final String text() {
    if (!(at.node instanceof ScalarNode scalar)) {
      throw error("must be a single value");
    }
    if (isEmpty()) {
      throw error("needs a value");
    }
    if (scalar.getValue().length() > MAX_TEXT) {
      throw error("is longer than " + MAX_TEXT + " characters");
    }
    return scalar.getValue();
  }

  private V value(String path, Node node) {
    return values.apply(YamlNode.of(at.file, path, node));
  }
}
