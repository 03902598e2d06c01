package io.isle.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What the command line asks for.
 *
 * @param names of the benchmarks to run
 * @param smoke whether each case is measured once, at its smallest, without a goal
 * @param json whether the rows are wanted as JSON
 * @param file for the JSON; null for standard output
 */
record Request(List<String> names, boolean smoke, boolean json, Path file) {
  /**
   * Reads {@code [NAME] [--json [FILE]] [--smoke]}. Only a smoke run needs no name: without one it
   * runs all benchmarks.
   *
   * @throws IllegalArgumentException with a text for the user
   */
  static Request of(List<String> arguments, Collection<String> known) {
    List<String> words = new ArrayList<>(arguments);
    boolean smoke = words.remove("--smoke");
    boolean named = !words.isEmpty() && !words.getFirst().startsWith("--");
    List<String> names = named ? List.of(words.removeFirst()) : List.copyOf(known);
    boolean json = !words.isEmpty() && words.getFirst().equals("--json");
    if (json) {
      words.removeFirst();
    }
    if (words.size() > (json ? 1 : 0) || !named && !smoke) {
      throw new IllegalArgumentException(
          "usage: isle bench NAME [--json [FILE]] [--smoke], or isle bench --smoke for all;"
              + " benchmarks: "
              + known);
    }
    if (!known.containsAll(names)) {
      throw new IllegalArgumentException(
          "unknown benchmark '" + names.getFirst() + "'; there are: " + known);
    }
    return new Request(names, smoke, json, words.isEmpty() ? null : Path.of(words.getFirst()));
  }
}
