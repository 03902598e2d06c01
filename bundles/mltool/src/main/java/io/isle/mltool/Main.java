package io.isle.mltool;

import io.isle.api.base.IsleException;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code Main VERB ARGUMENTS... [--json]}. Exit code: 0; 1 when something failed, was refused or
 * cannot be read; 2 for wrong arguments.
 */
public final class Main {
  private static final int BUFFER = 1 << 16;
  private static final Map<String, Verb> VERBS =
      new TreeMap<>(
          Map.of(
              "build", new Build(),
              "eval", new Eval(),
              "inspect", new Inspect(),
              "keygen", new Keygen(),
              "sign", new Sign(),
              "verify", new Verify()));

  private Main() {}

  public static void main(String[] args) {
    PrintStream out =
        new PrintStream(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER),
            false,
            StandardCharsets.UTF_8);
    int exit = run(List.of(args), System.in, out, System.err, Clock.systemUTC());
    out.flush();
    System.exit(exit);
  }

  /** What {@link #main} does, without ending the JVM. */
  static int run(List<String> args, InputStream in, PrintStream out, PrintStream err, Clock clock) {
    List<String> rest = new ArrayList<>(args);
    boolean json = rest.remove("--json");
    try {
      String verb = rest.isEmpty() ? "" : rest.removeFirst();
      Verb found = VERBS.get(verb);
      if (found == null) {
        String what = verb.isEmpty() ? "a verb is missing" : "unknown verb '" + verb + "'";
        throw new UsageException(what + "; there are " + String.join(", ", VERBS.keySet()));
      }
      return found.run(rest, new Tool(in, out, json, clock));
    } catch (UsageException e) {
      return tell(err, e.getMessage() + "\nisle: see ./isle mltool --help", 2);
    } catch (InvalidPathException e) {
      return tell(err, "'" + e.getInput() + "' is no name of a file", 2);
    } catch (FileAlreadyExistsException e) {
      return tell(err, e.getMessage() + " exists already", 1);
    } catch (NoSuchFileException e) {
      return tell(err, e.getMessage() + " does not exist", 1);
    } catch (IOException | IsleException e) {
      return tell(err, e.getMessage(), 1);
    }
  }

  private static int tell(PrintStream err, String message, int code) {
    err.println("isle: " + message);
    return code;
  }
}
