package io.isle.sim;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * Reads a file into nodes. Size, depth and count are bounded before the recursive part of the YAML
 * library sees the text; aliases, by which a small file stands for a huge one, are refused.
 */
final class YamlFile {
  static final int MAX_BYTES = 1 << 20;
  static final int MAX_DEPTH = 12;
  static final int MAX_VALUES = 100_000;

  private YamlFile() {}

  static Field read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return parse(file.toString(), in.readNBytes(MAX_BYTES + 1));
    } catch (IOException e) {
      String why =
          Files.isDirectory(file)
              ? "is a directory"
              : Files.exists(file) ? "cannot be read" : "there is no such file";
      throw SimException.failed(file + ": " + why);
    }
  }

  /**
   * @param file its name for messages
   */
  static Field parse(String file, byte[] bytes) {
    if (bytes.length > MAX_BYTES) {
      throw error(file, null, "is longer than " + MAX_BYTES + " bytes");
    }
    String text = decode(file, bytes);
    LoadSettings settings =
        LoadSettings.builder().setLabel(file).setCodePointLimit(MAX_BYTES).build();
    try {
      checkBounds(file, settings, text);
      Node root =
          new Compose(settings)
              .composeString(text)
              .orElseThrow(() -> error(file, null, "is empty; it needs devices and contexts"));
      return new Field(file, root, "");
    } catch (MarkedYamlEngineException e) {
      Mark mark = e.getProblemMark().or(e::getContextMark).orElse(null);
      throw error(file, mark, "is not YAML: " + oneLine(e.getProblem()));
    } catch (SimException e) {
      throw e;
    } catch (RuntimeException e) {
      throw error(file, null, "is not YAML: " + oneLine(e.getMessage()));
    }
  }

  private static String decode(String file, byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw error(file, null, "is not UTF-8");
    }
  }

  private static void checkBounds(String file, LoadSettings settings, String text) {
    int depth = 0;
    int values = 0;
    for (Event event : new Parse(settings).parseString(text)) {
      Mark mark = event.getStartMark().orElse(null);
      if (event instanceof AliasEvent) {
        throw error(file, mark, "aliases (*name) are not supported; repeat the value");
      }
      if (event instanceof NodeEvent && ++values > MAX_VALUES) {
        throw error(file, mark, "has more than " + MAX_VALUES + " values");
      }
      if (event instanceof CollectionStartEvent && ++depth > MAX_DEPTH) {
        throw error(file, mark, "is nested deeper than " + MAX_DEPTH + " levels");
      }
      if (event instanceof CollectionEndEvent) {
        depth--;
      }
    }
  }

  private static SimException error(String file, Mark mark, String message) {
    return SimException.usage(Field.text(file, mark, "", message));
  }

  private static String oneLine(String text) {
    return text == null ? "unreadable" : text.strip().replaceAll("\\s+", " ");
  }
}
