package io.isle.itests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The examples below a folder.
 *
 * @param folders by name, and of each the names of its jobs
 */
record Examples(Map<String, Set<String>> folders) {
  private static final Pattern JOB = Pattern.compile("(?m)^job: *(\\S+)");

  /** Looks for them: every folder is an example, and every YAML file that names a job is a job. */
  static Examples of(Path root) throws IOException {
    Map<String, Set<String>> folders = new TreeMap<>();
    try (Stream<Path> files = Files.list(root)) {
      for (Path folder : files.filter(Files::isDirectory).toList()) {
        folders.put(folder.getFileName().toString(), jobs(folder));
      }
    }
    return new Examples(folders);
  }

  private static Set<String> jobs(Path folder) throws IOException {
    Set<String> jobs = new TreeSet<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".yml")).toList()) {
        Matcher job = JOB.matcher(Files.readString(file));
        if (job.find()) {
          jobs.add(job.group(1));
        }
      }
    }
    return jobs;
  }

  /** Jobs that are not among {@code done}. */
  Set<String> notAmong(Set<String> done) {
    Set<String> missing = new TreeSet<>();
    folders.values().forEach(missing::addAll);
    missing.removeAll(done);
    return missing;
  }

  Set<String> foldersWithoutJob() {
    Set<String> without = new TreeSet<>();
    folders.forEach((folder, jobs) -> without.addAll(jobs.isEmpty() ? Set.of(folder) : Set.of()));
    return without;
  }
}
