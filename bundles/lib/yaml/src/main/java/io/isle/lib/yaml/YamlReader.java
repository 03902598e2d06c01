package io.isle.lib.yaml;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads files of one kind. They come from anywhere: size, depth and count are bounded before the
 * recursive part of the YAML library sees the text, and aliases, which make a small file stand for
 * a huge one, are refused. Immutable.
 *
 * @param <V> what the values of such files are
 */
public final class YamlReader<V extends YamlValue<V>> {
  /**
   * What a file may have at most, each at least 1.
   *
   * @param bytes its length
   * @param depth lists and mappings within each other; small, for the YAML library is recursive
   * @param values scalars, lists and mappings together, keys among them
   */
  public record Bounds(int bytes, int depth, int values) {}

  private final Bounds bounds;
  private final String needs;
  private final Function<YamlNode, V> values;

  /**
   * @param needs what is said of an empty file, such as {@code it needs devices}
   * @param values makes a value of what stands somewhere
   */
  public YamlReader(Bounds bounds, String needs, Function<YamlNode, V> values) {
    this.bounds = bounds;
    this.needs = needs;
    this.values = values;
  }

  /**
   * The root of a file.
   *
   * @throws IOException it cannot be read; {@link #reason} says why
   * @throws RuntimeException an {@link YamlValue#error}: it is no such file
   */
  public V read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return parse(file.toString(), in.readNBytes(bounds.bytes + 1));
    }
  }

  /** Why {@link #read} could not read a file. */
  public static String reason(Path file, IOException e) {
    if (Files.isDirectory(file)) {
      return "is a directory";
    }
    return Files.exists(file) ? "cannot be read: " + e.getMessage() : "the file does not exist";
  }

  /**
   * The root of what a file holds.
   *
   * @param file its name for messages
   * @throws RuntimeException an {@link YamlValue#error}: it is no such file
   */
  public V parse(String file, byte[] bytes) {
    if (bytes.length > bounds.bytes) {
      throw error(file, null, "is longer than " + bounds.bytes + " bytes");
    }
    String text = decode(file, bytes);
    LoadSettings settings =
        LoadSettings.builder().setLabel(file).setCodePointLimit(bounds.bytes).build();
    Optional<RuntimeException> excess;
    Optional<Node> root = Optional.empty();
    try {
      excess = excess(file, new Parse(settings).parseString(text));
      if (excess.isEmpty()) {
        root = new Compose(settings).composeString(text);
      }
    } catch (MarkedYamlEngineException e) {
      Mark mark = e.getProblemMark().or(e::getContextMark).orElse(null);
      throw error(file, mark, "is not YAML: " + oneLine(e.getProblem()));
    } catch (RuntimeException e) {
      throw error(file, null, "is not YAML: " + oneLine(e.getMessage()));
    }
    if (excess.isPresent()) {
      throw excess.get();
    }
    Node node = root.orElseThrow(() -> error(file, null, "is empty; " + needs));
    return values.apply(YamlNode.of(file, "", node));
  }

  private String decode(String file, byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw error(file, null, "is not UTF-8");
    }
  }

  /** What of the text is not within the bounds. */
  private Optional<RuntimeException> excess(String file, Iterable<Event> events) {
    int depth = 0;
    int count = 0;
    for (Event event : events) {
      String excess = null;
      if (event instanceof AliasEvent) {
        excess = "aliases (*name) are not supported; repeat the value";
      } else if (event instanceof NodeEvent && ++count > bounds.values) {
        excess = "has more than " + bounds.values + " values";
      } else if (event instanceof CollectionStartEvent && ++depth > bounds.depth) {
        excess = "is nested deeper than " + bounds.depth + " levels";
      } else if (event instanceof CollectionEndEvent) {
        depth--;
      }
      if (excess != null) {
        return Optional.of(error(file, event.getStartMark().orElse(null), excess));
      }
    }
    return Optional.empty();
  }

  private RuntimeException error(String file, Mark mark, String message) {
    return values.apply(YamlNode.at(file, mark)).error(message);
  }

  private static String oneLine(String text) {
    return text == null ? "unreadable" : text.strip().replaceAll("\\s+", " ");
  }
}
