package io.isle.sim;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code Main FILE.yml [--json] [--events]} simulates; {@code Main --replay FILE [--json]} replays
 * the journal of a device. Exit code: 0; 1 when something was refused, cannot be read, or was
 * decided otherwise; 2 for wrong arguments or a wrong file.
 */
public final class Main {
  static final String USAGE =
      "usage: isle sim FILE.yml [--json] [--events]\n       isle sim --replay FILE [--json]";

  private static final int BUFFER = 1 << 16;

  private Main() {}

  public static void main(String[] args) {
    PrintStream out =
        new PrintStream(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER),
            false,
            StandardCharsets.UTF_8);
    int exit = run(List.of(args), out, System.err);
    out.flush();
    System.exit(exit);
  }

  /** What {@link #main} does, without ending the JVM. */
  static int run(List<String> args, PrintStream out, PrintStream err) {
    try {
      List<String> rest = new ArrayList<>(args);
      boolean json = rest.remove("--json");
      boolean events = rest.remove("--events");
      boolean replay = rest.remove("--replay");
      if (rest.size() != 1 || rest.getFirst().startsWith("-") || replay && events) {
        throw SimException.usage(USAGE);
      }
      Path file = Path.of(rest.getFirst());
      if (replay) {
        return Replays.run(file, json, out);
      }
      simulate(file, json, events, out);
      return 0;
    } catch (SimException e) {
      err.println("isle: " + e.getMessage());
      return e.exit();
    }
  }

  private static void simulate(Path file, boolean json, boolean events, PrintStream out) {
    Scenario scenario = ScenarioParser.read(file);
    EventLog log = events ? new EventLog(out, json) : null;
    Simulation simulation = new Simulation(scenario, log);
    if (!json) {
      if (events) {
        log.begin();
      }
      simulation.run();
      out.append(events ? "\n" : "");
      new Report(simulation).print(out);
      return;
    }
    out.append(events ? "{\"events\":[" : "{");
    RuntimeException failure = null;
    try {
      simulation.run();
    } catch (RuntimeException e) {
      failure = e;
    }
    out.append(events ? "],\n" : "");
    if (failure == null) {
      new Report(simulation).json(out);
      out.append("}\n");
    } else {
      out.append("\"error\":")
          .append(Json.quoted(String.valueOf(failure.getMessage())))
          .append("}\n");
      throw failure;
    }
  }
}
