package io.isle.itests;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a class of tests leaves as it was in the shared instance.
 *
 * @param parts devices with their driver, tier, state, contexts and memory in use; groups; texts of
 *     files with settings and users, names of deployed files; each by its name
 * @param errors lines of the log
 */
record InstanceState(Map<String, String> parts, List<String> errors) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> OF_A_DEVICE =
      List.of("driver", "tier", "state", "contexts", "memory_used");

  static InstanceState now() throws IOException {
    Map<String, String> parts = new TreeMap<>();
    String out = Platform.sh("device:list --json; group:list", "--json").succeeded().out();
    try (JsonParser documents = JSON.createParser(out)) {
      JsonNode devices = JSON.readTree(documents);
      JsonNode groups = JSON.readTree(documents);
      for (JsonNode device : devices) {
        List<String> fields =
            OF_A_DEVICE.stream().map(name -> name + " " + device.get(name)).toList();
        parts.put("device " + device.get("id").asText(), String.join(", ", fields));
      }
      for (JsonNode group : groups) {
        parts.put("group " + group.get("name").asText(), group.get("state").asText());
      }
    }
    for (Path file : files("etc")) {
      String name = file.getFileName().toString();
      if (name.endsWith(".cfg")
          || name.equals("users.properties")
          || name.equals("keys.properties")) {
        parts.put("etc/" + name, Files.readString(file));
      }
    }
    for (Path file : files("deploy")) {
      parts.put("deploy/" + file.getFileName(), "");
    }
    try (Stream<String> log = Files.lines(Platform.folder().resolve("data/log/karaf.log"))) {
      return new InstanceState(parts, log.filter(line -> line.contains("| ERROR |")).toList());
    }
  }

  private static List<Path> files(String folder) throws IOException {
    try (Stream<Path> files = Files.list(Platform.folder().resolve(folder))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  /** A line for each part that is another one than before, and the errors. */
  List<String> differences(InstanceState before) {
    List<String> lines = new ArrayList<>(errors);
    TreeSet<String> names = new TreeSet<>(parts.keySet());
    names.addAll(before.parts.keySet());
    for (String name : names) {
      if (!Objects.equals(before.parts.get(name), parts.get(name))) {
        lines.add(name + ": " + parts.get(name) + ", was " + before.parts.get(name));
      }
    }
    return lines;
  }
}
