package io.isle.apps.jobs.spec;

import io.isle.api.jobs.JobException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A value of the job file that knows where it stands, so that each mistake can say so. */
public final class Located {
  /** Longest scalar in characters. */
  static final int MAX_TEXT = 4096;

  private final String file;
  private final Node node;
  private final String path;

  Located(String file, Node node, String path) {
    this.file = file;
    this.node = node;
    this.path = path;
  }

  /** The field as in {@code steps[0].args}; empty for the whole file. */
  public String path() {
    return path;
  }

  /** A mistake at this place. */
  public JobException error(String message) {
    return error(file, node.getStartMark().orElse(null), path, message);
  }

  /** What this place asks for does not go with what was found when the job ran. */
  public JobException failure(int code, String message) {
    return JobException.failed(code, error(message).getMessage(), null);
  }

  static JobException error(String file, Mark mark, String path, String message) {
    int line = mark == null ? 1 : mark.getLine() + 1;
    int column = mark == null ? 1 : mark.getColumn() + 1;
    String field = path.isEmpty() ? "" : path + ": ";
    return JobException.usage(line, file + ":" + line + ":" + column + ": " + field + message);
  }

  boolean isMapping() {
    return node instanceof MappingNode;
  }

  /** Whether it is a mapping with a mapping among its values. */
  boolean hasMappings() {
    return node instanceof MappingNode mapping
        && mapping.getValue().stream()
            .anyMatch(tuple -> tuple.getValueNode() instanceof MappingNode);
  }

  /** Whether nothing stands there: {@code key:}. */
  boolean isEmpty() {
    return node instanceof ScalarNode scalar && Tag.NULL.equals(scalar.getTag());
  }

  boolean isScalar() {
    return node instanceof ScalarNode;
  }

  /** Entries by key in the order of the file; a key outside {@code allowed} is a mistake. */
  Map<String, Located> mapping(String... allowed) {
    Map<String, Located> entries = mapping(allowed.length);
    List<String> names = List.of(allowed);
    for (Map.Entry<String, Located> entry : entries.entrySet()) {
      if (!names.contains(entry.getKey())) {
        throw entry.getValue().error("unknown key; allowed here: " + String.join(", ", names));
      }
    }
    return entries;
  }

  /** Entries with keys of the author's choice. */
  Map<String, Located> entries(int max) {
    Map<String, Located> entries = mapping(max);
    if (entries.size() > max) {
      throw error("has " + entries.size() + " entries; at most " + max + " are allowed");
    }
    return entries;
  }

  private Map<String, Located> mapping(int expected) {
    if (!(node instanceof MappingNode mapping)) {
      throw error("must be a mapping (key: value)");
    }
    Map<String, Located> entries = LinkedHashMap.newLinkedHashMap(expected);
    for (NodeTuple tuple : mapping.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode key) || key.getValue().length() > MAX_TEXT) {
        throw new Located(file, tuple.getKeyNode(), path).error("a key must be a short text");
      }
      String name = key.getValue();
      String field = path.isEmpty() ? name : path + "." + name;
      Located value = new Located(file, tuple.getValueNode(), field);
      if (entries.put(name, value) != null) {
        throw new Located(file, key, field).error("is given twice");
      }
    }
    return entries;
  }

  List<Located> sequence(int max) {
    if (!(node instanceof SequenceNode sequence)) {
      throw error("must be a list");
    }
    List<Node> nodes = sequence.getValue();
    if (nodes.size() > max) {
      throw error("has " + nodes.size() + " entries; at most " + max + " are allowed");
    }
    List<Located> items = new ArrayList<>(nodes.size());
    for (int i = 0; i < nodes.size(); i++) {
      items.add(new Located(file, nodes.get(i), path + "[" + i + "]"));
    }
    return items;
  }

  /** The text of a scalar, as it stands in the file. */
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
}
