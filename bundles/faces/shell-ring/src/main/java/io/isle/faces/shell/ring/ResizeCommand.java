package io.isle.faces.shell.ring;

import io.isle.api.fabric.LayerRange;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code ring:resize}. */
@Service
@Command(
    scope = "ring",
    name = "resize",
    description =
        "Divides the layers of the model among the workers of a ring, and waits up to 5 seconds"
            + " until the last worker confirms; positions begin at 0 again")
@RequiredRole(value = Role.MANAGER, reason = "A resize ends the positions of the ring's users.")
public final class ResizeCommand extends IsleCommand {
  @Argument(name = "node", description = "Name of a master or of its ring", required = true)
  @Completion(MasterCompleter.class)
  private String node;

  @Argument(
      index = 1,
      name = "boundaries",
      description =
          "1 to 17 increasing numbers from 1 to the layers of the model. One number: a worker has"
              + " the layers from there to the end; two: a worker has those between both; more: each"
              + " worker has those between two neighbouring numbers",
      required = true,
      multiValued = true)
  private List<String> boundaries;

  private record Row(int worker, LayerRange range) {}

  @Override
  protected void run(Output output) {
    List<Integer> numbers = boundaries.stream().map(ResizeCommand::number).toList();
    List<LayerRange> ranges =
        Masters.with(services(), node, "resize", endpoint -> endpoint.resize(numbers));
    output.table(
        new Table<Row>("No workers.")
            .column("worker", Row::worker)
            .column("start", row -> row.range().start())
            .column("end", row -> row.range().end())
            .column("tail", row -> row.range().tail()),
        IntStream.range(0, ranges.size()).mapToObj(i -> new Row(i + 1, ranges.get(i))).toList());
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw ShellException.usage(
          "boundaries: '" + text + "' is not a whole number in 1.." + LayerRange.MAX_LAYERS);
    }
  }

  /** For tests. */
  ResizeCommand of(String master, String... numbers) {
    node = master;
    boundaries = List.of(numbers);
    return this;
  }
}
