package io.isle.apps.jobs.spec;

import io.isle.api.jobs.JobException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
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
 * Reads a job file into nodes. Job files come from anywhere: size, depth and count are bounded
 * before the recursive part of the YAML library sees the text, and aliases, which make a small file
 * stand for a huge one, are refused.
 */
public final class JobFile {
  public static final int MAX_BYTES = 256 * 1024;
  static final int MAX_DEPTH = 16;
  static final int MAX_NODES = 10_000;

  private JobFile() {}

  /** Reads {@code file}. */
  public static Located read(Path file) {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    } catch (IOException e) {
      String why = Files.isDirectory(file) ? "is a directory" : reason(file, e);
      throw JobException.failed(io.isle.api.base.Errno.ENOENT, "job file " + file + ": " + why, e);
    }
    return parse(file.toString(), bytes);
  }

  private static String reason(Path file, IOException e) {
    return Files.exists(file) ? "cannot be read: " + e.getMessage() : "there is no such file";
  }

  /**
   * Parses the bytes of a job file.
   *
   * @param file its name for messages
   */
  public static Located parse(String file, byte[] bytes) {
    if (bytes.length > MAX_BYTES) {
      throw error(file, null, "is longer than " + MAX_BYTES + " bytes");
    }
    String text = decode(file, bytes);
    LoadSettings settings =
        LoadSettings.builder().setLabel(file).setCodePointLimit(MAX_BYTES).build();
    Optional<Node> root;
    try {
      checkBounds(file, settings, text);
      root = new Compose(settings).composeString(text);
    } catch (MarkedYamlEngineException e) {
      Mark mark = e.getProblemMark().or(e::getContextMark).orElse(null);
      throw error(file, mark, "is not YAML: " + oneLine(e.getProblem()));
    } catch (JobException e) {
      throw e;
    } catch (RuntimeException e) {
      throw error(file, null, "is not YAML: " + oneLine(e.getMessage()));
    }
    Node node = root.orElseThrow(() -> error(file, null, "is empty; it needs at least job, steps"));
    return new Located(file, node, "");
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
    int nodes = 0;
    for (Event event : new Parse(settings).parseString(text)) {
      Mark mark = event.getStartMark().orElse(null);
      if (event instanceof AliasEvent) {
        throw error(file, mark, "aliases (*name) are not supported; repeat the value");
      }
      if (event instanceof NodeEvent && ++nodes > MAX_NODES) {
        throw error(file, mark, "has more than " + MAX_NODES + " values");
      }
      if (event instanceof CollectionStartEvent && ++depth > MAX_DEPTH) {
        throw error(file, mark, "is nested deeper than " + MAX_DEPTH + " levels");
      }
      if (event instanceof CollectionEndEvent) {
        depth--;
      }
    }
  }

  private static JobException error(String file, Mark mark, String message) {
    return Located.error(file, mark, "", message);
  }

  private static String oneLine(String text) {
    return text == null ? "unreadable" : text.strip().replaceAll("\\s+", " ");
  }
}
