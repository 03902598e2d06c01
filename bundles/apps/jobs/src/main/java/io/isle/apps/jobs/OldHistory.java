package io.isle.apps.jobs;

import io.isle.api.jobs.JobInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The history as it was written before it had a job a line: one YAML document. Its writer let equal
 * lists stand for each other ({@code *id001}), and its reader took a file with many of those for
 * spoilt and renamed it. Pure functions.
 */
final class OldHistory {
  private static final Logger LOG = LoggerFactory.getLogger(OldHistory.class);
  private static final String NAME = "history.yml";
  private static final String RENAMED = NAME + ".unreadable";
  private static final int MAX_CHARACTERS = 16 << 20;

  private OldHistory() {}

  /**
   * The jobs of the renamed file and then those of the file itself, whose ids began at 1 again;
   * none of a file that is spoilt. The files stay as they are.
   */
  static List<JobInfo> read(Path folder) {
    List<JobInfo> jobs = new ArrayList<>(one(folder.resolve(RENAMED)));
    jobs.addAll(one(folder.resolve(NAME)));
    return jobs;
  }

  private static List<JobInfo> one(Path file) {
    if (!Files.isRegularFile(file)) {
      return List.of();
    }
    List<JobInfo> jobs = new ArrayList<>();
    try {
      if (Files.size(file) > 4L * MAX_CHARACTERS) {
        throw new IOException("the file is longer than " + 4L * MAX_CHARACTERS + " bytes");
      }
      LoadSettings settings =
          LoadSettings.builder()
              .setCodePointLimit(MAX_CHARACTERS)
              // An alias is the same object once more: many of them cost nothing.
              .setMaxAliasesForCollections(Integer.MAX_VALUE)
              .build();
      for (Object entry : (List<?>) new Load(settings).loadFromString(Files.readString(file))) {
        jobs.add(JobRecords.job((Map<?, ?>) entry));
      }
      return jobs;
    } catch (IOException | RuntimeException | StackOverflowError e) {
      LOG.warn("the job history {} cannot be read; the file stays unchanged", file, e);
      return List.of();
    }
  }
}
