package io.isle.apps.jobs;

import io.isle.api.jobs.JobInfo;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.Jobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The jobs that ran, kept in a file (YAML, written beside and renamed) so that they survive a
 * restart. A file that cannot be read is left aside with a warning. Thread-safe.
 */
final class History {
  private static final Logger LOG = LoggerFactory.getLogger(History.class);

  /** Of the file. */
  static final int MAX_CHARACTERS = 16 << 20;

  private final Path file;
  private final Map<String, JobInfo> jobs = new LinkedHashMap<>();
  private long last;

  /**
   * Reads what earlier runs left.
   *
   * @param file in a directory that is made when needed
   */
  History(Path file) {
    this.file = file;
    if (Files.isRegularFile(file)) {
      load();
    }
  }

  private void load() {
    try {
      LoadSettings settings = LoadSettings.builder().setCodePointLimit(MAX_CHARACTERS).build();
      Object root = new Load(settings).loadFromString(Files.readString(file));
      for (Object entry : (List<?>) root) {
        JobInfo job = JobRecords.job((Map<?, ?>) entry);
        jobs.put(job.id(), job);
        last = Math.max(last, Long.parseLong(job.id()));
      }
    } catch (IOException | RuntimeException e) {
      jobs.clear();
      putAside(e);
    }
  }

  private void putAside(Exception why) {
    Path aside = file.resolveSibling(file.getFileName() + ".unreadable");
    try {
      Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
      LOG.warn("the job history {} cannot be read; it is now {}", file, aside, why);
    } catch (IOException e) {
      why.addSuppressed(e);
      LOG.warn("the job history {} cannot be read and is overwritten", file, why);
    }
  }

  synchronized String nextId() {
    return Long.toString(++last);
  }

  synchronized void put(JobInfo job) {
    jobs.put(job.id(), job);
    for (var ids = jobs.values().iterator(); jobs.size() > Jobs.MAX_HISTORY && ids.hasNext(); ) {
      if (ids.next().result().state() != JobState.RUNNING) {
        ids.remove();
      }
    }
    save();
  }

  private void save() {
    List<Map<String, Object>> entries = new ArrayList<>();
    jobs.values().forEach(job -> entries.add(JobRecords.map(job)));
    String text = dump(entries);
    while (text.length() > MAX_CHARACTERS && entries.size() > 1) {
      // The oldest are the first to go: a file that is too long would not be read again.
      entries.subList(0, Math.ceilDiv(entries.size(), 2)).clear();
      text = dump(entries);
    }
    try {
      Files.createDirectories(file.getParent());
      Path beside = file.resolveSibling(file.getFileName() + ".new");
      Files.writeString(beside, text);
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      LOG.warn("the job history {} cannot be written", file, e);
    }
  }

  private static String dump(List<Map<String, Object>> entries) {
    return new Dump(DumpSettings.builder().build()).dumpToString(entries);
  }

  synchronized List<JobInfo> list() {
    return List.copyOf(jobs.values());
  }

  synchronized Optional<JobInfo> find(String id) {
    return Optional.ofNullable(jobs.get(id));
  }
}
