package io.isle.apps.jobs.spec;

import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/**
 * Files in the folder of a job file and below. A job file names no others for its programs: links
 * that lead out of the folder are refused.
 */
final class ProgramFiles {
  /** Most entries of folders that a pattern is compared with. */
  static final int MAX_ENTRIES = 10_000;

  private final Path base;

  /**
   * @param base the folder
   */
  ProgramFiles(Path base) {
    this.base = base;
  }

  /**
   * The file of that name, or the files that a pattern matches, by name. A {@code *}, {@code ?},
   * {@code [abc]} or {@code {a,b}} matches within one name, and none at the beginning of a hidden
   * one.
   *
   * @throws io.isle.api.jobs.JobException naming what is outside, or that there is none
   */
  List<StepProgram.Code.Source> matching(String text, Located at) {
    List<String> parts = List.of(text.split("/", -1));
    if (text.isBlank() || parts.contains("") || parts.contains(".") || parts.contains("..")) {
      throw at.error(
          "must be a relative path without empty parts, '.' and '..': programs have only files"
              + " beside the job file or below");
    }
    try {
      Search search = new Search(at);
      search.below(base, "", parts);
      if (search.found.isEmpty()) {
        throw at.failure(
            Errno.ENOENT,
            isPattern(text)
                ? text + " matches no file beside the job file"
                : text + ": no such file or directory");
      }
      return search.found;
    } catch (InvalidPathException | PatternSyntaxException e) {
      throw at.error("is not a path or pattern: " + e.getMessage());
    } catch (IOException e) {
      throw at.failure(Errno.EIO, text + ": " + e.getMessage());
    }
  }

  private static boolean isPattern(String text) {
    return text.chars().anyMatch(c -> "*?[{".indexOf(c) >= 0);
  }

  private final class Search {
    private final Located at;
    private final List<StepProgram.Code.Source> found = new ArrayList<>();
    private int entries;

    Search(Located at) {
      this.at = at;
    }

    /** Adds what matches the parts of a path below a folder. */
    void below(Path folder, String prefix, List<String> parts) throws IOException {
      String part = parts.getFirst();
      List<String> rest = parts.subList(1, parts.size());
      for (String name : isPattern(part) ? names(folder, part) : List.of(part)) {
        Path path = folder.resolve(name);
        if (!rest.isEmpty()) {
          if (Files.isDirectory(path)) {
            Path ignored = inside(path, prefix + name);
            below(path, prefix + name + "/", rest);
          }
        } else if (Files.exists(path) && !(isPattern(part) && Files.isDirectory(path))) {
          add(path, prefix + name);
        }
      }
    }

    private List<String> names(Path folder, String pattern) throws IOException {
      PathMatcher matcher = folder.getFileSystem().getPathMatcher("glob:" + pattern);
      List<String> names = new ArrayList<>();
      try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
        for (Path entry : stream) {
          if (++entries > MAX_ENTRIES) {
            throw at.error("is compared with more than " + MAX_ENTRIES + " files; name the files");
          }
          String name = entry.getFileName().toString();
          boolean hidden = name.startsWith(".") && !pattern.startsWith(".");
          if (!hidden && matcher.matches(entry.getFileName())) {
            names.add(name);
          }
        }
      }
      names.sort(null);
      return names;
    }

    private void add(Path path, String name) throws IOException {
      Path real = inside(path, name);
      if (!Files.isRegularFile(real)) {
        throw at.failure(Errno.EINVAL, name + " is not a regular file");
      }
      if (found.size() == ProgramSource.MAX_FILES) {
        throw at.error("matches more than " + ProgramSource.MAX_FILES + " files");
      }
      found.add(new StepProgram.Code.Source(name, real, at));
    }

    /** Where a file really is. */
    private Path inside(Path path, String name) throws IOException {
      Path real = path.toRealPath();
      if (!real.startsWith(base.toRealPath())) {
        throw at.error(name + " is a link that leads out of the folder of the job file");
      }
      return real;
    }
  }
}
