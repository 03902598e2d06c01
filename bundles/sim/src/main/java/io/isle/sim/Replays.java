package io.isle.sim;

import io.isle.core.accel.sched.JournalFormatException;
import io.isle.core.accel.sched.Replay;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Replays the journal of a device. */
final class Replays {
  private Replays() {}

  /** Returns the exit code: 0 when all decisions are the same, 1 at the first that is not. */
  static int run(Path file, boolean json, PrintStream out) {
    Replay.Result result = replay(file);
    if (json) {
      print(result, out);
    } else {
      tell(result, out);
    }
    return result.difference().isPresent() ? 1 : 0;
  }

  private static Replay.Result replay(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return Replay.run(in);
    } catch (JournalFormatException e) {
      throw SimException.failed(file + ": " + e.getMessage());
    } catch (EOFException e) {
      throw SimException.failed(file + " " + e.getMessage());
    } catch (IOException e) {
      String why =
          Files.isDirectory(file)
              ? "is a directory"
              : Files.exists(file) ? "cannot be read" : "the file does not exist";
      throw SimException.failed(file + ": " + why);
    }
  }

  private static void print(Replay.Result result, PrintStream out) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("records", result.records());
    row.put("decisions", result.decisions());
    row.put("missed", result.missed());
    row.put("duration_ns", result.durationNs());
    row.put("same", result.difference().isEmpty());
    result
        .difference()
        .ifPresent(
            difference -> {
              row.put("record", difference.record());
              row.put("time_ns", difference.timeNs());
              row.put("what", difference.what());
              row.put("recorded", difference.recorded());
              row.put("replayed", difference.now());
            });
    out.append(Json.object(row)).append('\n');
  }

  private static void tell(Replay.Result result, PrintStream out) {
    result
        .difference()
        .ifPresentOrElse(
            difference ->
                out.append(
                    "record %d after %d ns: %s is %d in the journal, but %d in the replay%n"
                        .formatted(
                            difference.record(),
                            difference.timeNs(),
                            difference.what(),
                            difference.recorded(),
                            difference.now())),
            () ->
                out.append(
                    "all %d decisions of %d records over %s are the same as in the journal%n"
                        .formatted(
                            result.decisions(),
                            result.records(),
                            Durations.rounded(result.durationNs()))));
    if (result.missed() > 0) {
      out.append("the journal ends early: at least " + result.missed() + " records are missing\n");
    }
  }
}
