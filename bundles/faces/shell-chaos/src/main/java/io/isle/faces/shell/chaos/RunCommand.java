package io.isle.faces.shell.chaos;

import io.isle.api.base.Errno;
import io.isle.api.base.ExitStatus;
import io.isle.api.chaos.Chaos;
import io.isle.api.chaos.ChaosException;
import io.isle.api.chaos.ChaosReport;
import io.isle.api.chaos.ChaosRequest;
import io.isle.api.chaos.ChaosRequest.Plant;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code chaos:run}. */
@Service
@Command(
    scope = "chaos",
    name = "run",
    description =
        "Runs random faults under a checked workload, on a node that ./isle chaos started")
@RequiredRole(value = Role.ADMIN, reason = "The command restarts bundles and kills driver hosts.")
public final class RunCommand extends IsleCommand {
  @Option(name = "--seed", description = "Seed of the schedule and the workload, a whole number")
  private String seed;

  @Option(name = "--minutes", description = "Length of the run in minutes; fractions are allowed")
  private String minutes;

  @Option(
      name = "--plant",
      description = "Defects to simulate: lost, doubled, wrong, leak; several with commas")
  private String plant;

  @Override
  protected void run(Output output) {
    ChaosRequest request = request(seed, minutes, plant);
    ChaosReport report =
        services().with(Chaos.class, chaos -> chaos.run(request, System.err::println));
    // the shell's streams are closed by a write of an interrupted thread
    boolean ignored = Thread.interrupted();
    if (output.json()) {
      output.document(Rows.document(report));
    } else {
      Rows.lines(report).forEach(output::line);
    }
    if (!report.complete()) {
      throw new ChaosException(Errno.ECANCELED, ExitStatus.INTERRUPTED, "interrupted", null);
    }
    if (!report.passed()) {
      throw ShellException.failed(
          "chaos: "
              + report.problems().size()
              + " problems with seed "
              + report.seed()
              + ": "
              + report.problems().getFirst());
    }
  }

  static ChaosRequest request(String seed, String minutes, String plant) {
    try {
      return new ChaosRequest(
          Long.parseLong(given("--seed", seed)),
          Double.parseDouble(given("--minutes", minutes)),
          planted(plant));
    } catch (NumberFormatException e) {
      throw ShellException.usage(
          "--seed takes a whole number and --minutes a number: " + e.getMessage());
    }
  }

  private static String given(String option, String value) {
    if (value == null) {
      throw ShellException.usage(
          option + " is missing; an example is chaos:run --seed 1 --minutes 1");
    }
    return value;
  }

  private static Set<Plant> planted(String text) {
    Set<Plant> plants = EnumSet.noneOf(Plant.class);
    if (text != null) {
      for (String word : text.split(",", -1)) {
        plants.add(plant(word));
      }
    }
    return plants;
  }

  private static Plant plant(String word) {
    return Stream.of(Plant.values())
        .filter(each -> each.text().equals(word))
        .findAny()
        .orElseThrow(
            () ->
                ShellException.usage(
                    "--plant '"
                        + word
                        + "' is not one of "
                        + Stream.of(Plant.values())
                            .map(Plant::text)
                            .collect(Collectors.joining(", "))));
  }

  /** For tests. */
  RunCommand of(String seedText, String minutesText, String plantText) {
    seed = seedText;
    minutes = minutesText;
    plant = plantText;
    return this;
  }
}
