package io.isle.benchmarks.net;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads fields of documents that commands print. */
final class JsonText {
  private JsonText() {}

  /** The first number of a name; empty for null, or without the field. */
  static OptionalLong number(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\"\\s*:\\s*(\\d+)").matcher(json);
    return found.find() ? OptionalLong.of(Long.parseLong(found.group(1))) : OptionalLong.empty();
  }

  /** The first text of a name behind a place. */
  static String text(String json, String name, int from) throws IOException {
    Matcher found = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
    if (!found.find(from)) {
      throw new IOException("there is no " + name + " in " + json);
    }
    return found.group(1);
  }
}
