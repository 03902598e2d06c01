package io.isle.lib.yaml;

import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** A place in a file and what stands there, as {@link YamlReader} found it. Immutable. */
public final class YamlNode {
  final String file;
  final String path;

  /** Null where the file as a whole is meant. */
  final Node node;

  private final Mark mark;

  private YamlNode(String file, String path, Node node, Mark mark) {
    this.file = file;
    this.path = path;
    this.node = node;
    this.mark = mark;
  }

  /**
   * @param path as in {@code steps[0].args}; empty for the root
   */
  static YamlNode of(String file, String path, Node node) {
    return new YamlNode(file, path, node, node.getStartMark().orElse(null));
  }

  /**
   * A place without a value.
   *
   * @param mark null for the beginning of the file
   */
  static YamlNode at(String file, Mark mark) {
    return new YamlNode(file, "", null, mark);
  }

  /** From 1. */
  int line() {
    return mark == null ? 1 : mark.getLine() + 1;
  }

  String located(String message) {
    int column = mark == null ? 1 : mark.getColumn() + 1;
    String field = path.isEmpty() ? "" : path + ": ";
    return file + ":" + line() + ":" + column + ": " + field + message;
  }
}
