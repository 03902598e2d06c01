package io.isle.apps.jobs.setup;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.platform.UnreadableFiles;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * What has to be put back when a job's setup ends, on disk before it is changed, so that a platform
 * that was killed in the middle of a job puts it back when it starts again. One file a job. Used by
 * one thread.
 */
public final class UndoLog {
  private static final Logger LOG = LoggerFactory.getLogger(UndoLog.class);
  private static final String SUFFIX = ".undo";

  private final Path file;
  private final List<Map<String, Object>> changes = new ArrayList<>();

  public UndoLog(Path folder, String jobId) {
    this.file = folder.resolve("setup-" + jobId + SUFFIX);
  }

  /**
   * Notes that settings of {@code pid} are about to change.
   *
   * @param existed whether it has a file
   * @param before the keys that change; null for one that was not there
   */
  public void note(String pid, boolean existed, Map<String, String> before) {
    Map<String, Object> change = new LinkedHashMap<>();
    change.put("pid", pid);
    change.put("existed", existed);
    change.put("before", new LinkedHashMap<>(before));
    changes.add(change);
    try {
      Files.createDirectories(file.getParent());
      write(file, changes);
    } catch (IOException e) {
      throw JobException.failed(
          Errno.EIO, "setup: cannot write " + file + ": " + Failures.reason(e), e);
    }
  }

  private static void write(Path file, List<?> changes) throws IOException {
    Path beside = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(beside, new Dump(DumpSettings.builder().build()).dumpToString(changes));
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Everything was put back. */
  public void done() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("removing {} failed", file, e);
    }
  }

  /** Puts back what jobs of a killed platform left; called when the platform starts. */
  public static void recover(Path folder, ConfigFiles files) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (var logs = Files.newDirectoryStream(folder, "setup-*" + SUFFIX)) {
      for (Path log : logs) {
        try {
          recoverOne(log, files);
        } catch (IOException e) {
          LOG.warn("undoing the setup recorded in {} failed", log, e);
        }
      }
    } catch (IOException e) {
      LOG.warn("looking for setups of earlier jobs in {} failed", folder, e);
    }
  }

  /** What cannot be put back now stays in the log, for the next start; what never can does not. */
  private static void recoverOne(Path log, ConfigFiles files) throws IOException {
    Optional<List<?>> entries = entries(log);
    if (entries.isEmpty()) {
      Path aside = UnreadableFiles.keep(log, false);
      LOG.warn("the setup of an earlier job cannot be undone; compare etc/ with {}", aside);
      return;
    }
    List<Object> left = new ArrayList<>();
    for (Object entry : entries.get().reversed()) {
      try {
        Map<?, ?> change = (Map<?, ?>) entry;
        Map<String, String> before = new HashMap<>();
        ((Map<?, ?>) change.get("before"))
            .forEach((key, value) -> before.put((String) key, (String) value));
        putBack(files, (String) change.get("pid"), (Boolean) change.get("existed"), before);
      } catch (ClassCastException | NullPointerException | IllegalArgumentException e) {
        LOG.warn("the change {} of {} cannot be undone; check the settings in etc/", entry, log, e);
      } catch (RuntimeException e) {
        left.addFirst(entry);
        LOG.warn("the change {} of {} was not undone; the next start tries again", entry, log, e);
      }
    }
    if (left.isEmpty()) {
      Files.deleteIfExists(log);
      LOG.info("undid the setup of an earlier job, recorded in {}", log.getFileName());
    } else {
      write(log, left);
    }
  }

  /** Empty for a file that is no log. */
  private static Optional<List<?>> entries(Path log) throws IOException {
    try {
      Object root = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(log));
      return Optional.of((List<?>) Objects.requireNonNull(root, "empty"));
    } catch (RuntimeException | StackOverflowError | CharacterCodingException e) {
      LOG.warn("the setup record {} cannot be read", log, e);
      return Optional.empty();
    }
  }

  public static void putBack(
      ConfigFiles files, String pid, boolean existed, Map<String, String> before) {
    if (existed) {
      files.set(pid, before);
    } else {
      files.delete(pid);
    }
  }
}
