package io.isle.api.jobs;

import java.nio.file.Path;
import java.util.Map;

/**
 * The checked values of the parameters of a {@link JobAction}, with default values filled in.
 * Reading a missing value, or a value as another kind, is a defect of the action. Immutable.
 */
public final class ActionValues {
  private final Map<String, String> texts;

  /**
   * @param texts value by parameter: whole numbers in decimal digits, files as absolute paths
   */
  public ActionValues(Map<String, String> texts) {
    this.texts = Map.copyOf(texts);
  }

  /** Whether the parameter has a value; an optional parameter may have none. */
  public boolean has(String name) {
    return texts.containsKey(name);
  }

  /** The text of a value of any kind. */
  public String text(String name) {
    String text = texts.get(name);
    if (text == null) {
      throw new IllegalStateException("no value of a parameter '" + name + "'");
    }
    return text;
  }

  /** A value of {@link ActionParameter.Kind#FLAG}. */
  public boolean flag(String name) {
    return Boolean.parseBoolean(text(name));
  }

  /** A value of {@link ActionParameter.Kind#WHOLE}. */
  public long whole(String name) {
    return Long.parseLong(text(name));
  }

  /** A value of {@link ActionParameter.Kind#NUMBER}. */
  public double number(String name) {
    return Double.parseDouble(text(name));
  }

  /**
   * A value of {@link ActionParameter.Kind#FILE} or {@link ActionParameter.Kind#OUT}, for messages
   * only. Read and write the file through {@link ActionStep}.
   */
  public Path path(String name) {
    return Path.of(text(name));
  }
}
