package io.isle.faces.shell.device;

import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code device:tree}. */
@Service
@Command(
    scope = "device",
    name = "tree",
    description = "Shows the devices as a tree, each child below its parent")
@RequiredRole(Role.VIEWER)
public final class TreeCommand extends IsleCommand {
  private record Branch(DeviceRow row, int depth) {}

  @Override
  protected void run(Output output) {
    List<DeviceRow> all = DeviceRow.all(services());
    List<Branch> branches = new ArrayList<>();
    all.stream().filter(row -> isRoot(row, all)).forEach(row -> add(row, 0, all, branches));
    // parents in a circle, as only a driver's mistake makes them
    all.stream()
        .filter(row -> branches.stream().noneMatch(branch -> branch.row() == row))
        .forEach(row -> add(row, 0, all, branches));
    output.table(output.json() ? flat() : indented(), branches);
  }

  private static Table<Branch> flat() {
    return new Table<Branch>("")
        .column("id", branch -> branch.row().node().id())
        .column("parent", branch -> branch.row().node().parent().orElse(null))
        .column("depth", Branch::depth)
        .column("class", branch -> branch.row().node().deviceClass().text())
        .column("state", branch -> branch.row().node().state().text())
        .column("services", branch -> String.join(" ", branch.row().node().services()));
  }

  private static Table<Branch> indented() {
    return new Table<Branch>("No devices.")
        .column("device", TreeCommand::indent)
        .column("class", branch -> branch.row().node().deviceClass().text())
        .column("state", branch -> branch.row().node().state().text())
        .column("services", branch -> String.join(" ", branch.row().node().services()))
        .column("summary", branch -> branch.row().node().properties().getOrDefault("summary", ""));
  }

  private static String indent(Branch branch) {
    String id = branch.row().node().id();
    return branch.depth() == 0 ? id : "  ".repeat(branch.depth() - 1) + "+-- " + id;
  }

  /** A device whose parent is not there stands at the root, so that none is left out. */
  private static boolean isRoot(DeviceRow row, List<DeviceRow> all) {
    Optional<String> parent = row.node().parent();
    return parent.isEmpty()
        || all.stream().noneMatch(other -> other.node().id().equals(parent.get()));
  }

  private static void add(DeviceRow row, int depth, List<DeviceRow> all, List<Branch> branches) {
    branches.add(new Branch(row, depth));
    all.stream()
        .filter(other -> other.node().parent().filter(row.node().id()::equals).isPresent())
        .filter(other -> branches.stream().noneMatch(branch -> branch.row() == other))
        .forEach(child -> add(child, depth + 1, all, branches));
  }
}
