package io.isle.apps.jobs;

import io.isle.api.jobs.JobInfo;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.Jobs;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The jobs that ran, kept in a file so that they survive a restart. Thread-safe. */
final class History {
  private final HistoryFile file;
  private final Map<String, JobInfo> jobs = new LinkedHashMap<>();
  private long last;

  /**
   * Reads what earlier runs left.
   *
   * @param path of the file, in a directory that is made when needed
   */
  History(Path path) {
    file = new HistoryFile(path);
    for (JobInfo job : file.read()) {
      jobs.put(job.id(), job);
      last = Math.max(last, Long.parseLong(job.id()));
    }
    forget();
  }

  synchronized String nextId() {
    return Long.toString(++last);
  }

  synchronized void put(JobInfo job) {
    jobs.put(job.id(), job);
    forget();
    file.put(job, jobs.values());
  }

  private void forget() {
    for (var ids = jobs.values().iterator(); jobs.size() > Jobs.MAX_HISTORY && ids.hasNext(); ) {
      if (ids.next().result().state() != JobState.RUNNING) {
        ids.remove();
      }
    }
  }

  synchronized List<JobInfo> list() {
    return List.copyOf(jobs.values());
  }

  synchronized Optional<JobInfo> find(String id) {
    return Optional.ofNullable(jobs.get(id));
  }
}
