package io.isle.faces.shell.model;

import io.isle.api.inference.Models;
import io.isle.api.inference.Models.Captured;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code model:capture}. */
@Service
@Command(
    scope = "model",
    name = "capture",
    description =
        "Writes decisions with their outcomes to a new file (CSV, mode 0600), for training")
@RequiredRole(value = Role.ADMIN, reason = "Decisions of all groups can be read.")
public final class CaptureCommand extends IsleCommand {
  private static final int MOST_SECONDS = 7 * 86_400;
  private static final long MOST_RECORDS = 1_000_000_000;

  @Argument(name = "name", description = "Name of the decision", required = true)
  @Completion(ModelCompleter.class)
  private String name;

  @Option(name = "--out", description = "The file, which must not exist", required = true)
  private String out;

  @Option(name = "--records", description = "End after so many decisions, 1 to 1000000000")
  private long records = MOST_RECORDS;

  @Option(name = "--seconds", description = "End after so many seconds, 1 to 604800")
  private int seconds = 60;

  /** A result with its file. */
  private record Row(String model, String file, Captured captured) {}

  @Override
  protected void run(Output output) {
    if (seconds < 1 || seconds > MOST_SECONDS) {
      throw ShellException.usage("--seconds: " + seconds + " is not in 1.." + MOST_SECONDS);
    }
    if (records < 1 || records > MOST_RECORDS) {
      throw ShellException.usage("--records: " + records + " is not in 1.." + MOST_RECORDS);
    }
    Path file = path(out);
    Captured captured = services().with(Models.class, models -> capture(models, file));
    output.table(
        new Table<Row>("")
            .column("model", Row::model)
            .column("file", Row::file)
            .whole()
            .column("records", row -> row.captured().records())
            .column("lost", row -> row.captured().lost()),
        List.of(new Row(name, out, captured)));
  }

  private Captured capture(Models models, Path file) {
    try {
      return models.capture(name, file, records, Duration.ofSeconds(seconds));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ShellException.interrupted("interrupted; " + out + " has what was captured");
    }
  }

  /** For tests. */
  CaptureCommand of(String decision, String file, long most, int time) {
    name = decision;
    out = file;
    records = most;
    seconds = time;
    return this;
  }
}
