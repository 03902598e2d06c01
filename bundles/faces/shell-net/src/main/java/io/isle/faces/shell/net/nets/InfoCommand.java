package io.isle.faces.shell.net.nets;

import io.isle.api.net.NetInfo;
import io.isle.api.net.TileInfo;
import io.isle.api.net.TileProcessInfo;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:info}. */
@Service
@Command(
    scope = "net",
    name = "info",
    description =
        "Shows a net: what is wished, what is in force and why, and each tile with its memory")
@RequiredRole(Role.VIEWER)
public final class InfoCommand extends IsleCommand {
  @Argument(name = "net", description = "Name of the net", required = true)
  @Completion(NetCompleter.class)
  private String net;

  @Override
  protected void run(Output output) {
    NetInfo info = NetRows.named(services(), net).getFirst();
    if (output.json()) {
      output.document(object(info));
    } else {
      output.table(table(), rows(info));
    }
  }

  private static Map<String, Object> object(NetInfo net) {
    Map<String, Object> object = new LinkedHashMap<>(NetRows.list().object(net));
    object.put("wished", wished(net));
    object.put("notes", net.notes());
    object.put("tiles", net.tiles().stream().map(InfoCommand::object).toList());
    return object;
  }

  private static Map<String, Object> wished(NetInfo net) {
    Map<String, Object> wished = new LinkedHashMap<>();
    wished.put("mode", net.wishedMode());
    wished.put("zero_copy", net.wishedZeroCopy());
    wished.put("poll", net.wishedPoll());
    wished.put("cpu", net.wishedCpu());
    return wished;
  }

  private static Map<String, Object> object(TileInfo tile) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("tile", tile.tile());
    object.put("queue", tile.queue());
    object.put("running", tile.running());
    object.put("zero_copy", tile.zeroCopy());
    object.put("poll", tile.poll());
    object.put("pinned_bytes", tile.pinnedBytes());
    object.put("frames", tile.frames());
    object.put("opened", tile.opened());
    object.put("seen", tile.seen());
    object.put("passed", tile.passed());
    object.put("dropped", tile.dropped());
    object.put("sent", tile.sent());
    object.put("busy", tile.busy());
    object.put("cpu", tile.processors());
    ProcessRows.add(object, tile);
    return object;
  }

  /** A fact, as wished and as in force. */
  private record Row(String subject, String wished, String inForce) {}

  private static List<Row> rows(NetInfo net) {
    List<Row> rows = new ArrayList<>();
    rows.add(new Row("interface", net.interfaceName(), net.state().text()));
    rows.add(new Row("mode", net.wishedMode(), net.mode()));
    for (TileInfo tile : net.tiles()) {
      String name = "tile " + tile.tile();
      rows.add(
          new Row(
              name + " queue",
              Integer.toString(tile.queue()),
              tile.running() ? "running" : "waiting"));
      rows.add(
          new Row(
              name + " copy",
              net.wishedZeroCopy() ? "zero copy" : "copy",
              tile.zeroCopy() ? "zero copy" : "copy"));
      rows.add(new Row(name + " poll", net.wishedPoll(), tile.poll()));
      rows.add(new Row(name + " cpu", any(net.wishedCpu()), any(cpu(tile))));
      rows.add(new Row(name + " frames", "", Integer.toString(tile.frames())));
      rows.add(new Row(name + " pinned bytes", "", Long.toString(tile.pinnedBytes())));
      rows.add(new Row(name + " opened", "", tile.opened() + " times"));
      rows.add(new Row(name + " busy", "", Math.round(1000 * tile.busy()) / 10.0 + " %"));
      tile.process().ifPresent(process -> add(rows, name, process));
    }
    if (!net.reason().isEmpty()) {
      rows.add(new Row("reason", "", net.reason()));
    }
    net.notes().forEach(note -> rows.add(new Row("note", "", note)));
    return rows;
  }

  private static String cpu(TileInfo tile) {
    return tile.processors().stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static String any(String processors) {
    return processors.isEmpty() ? "any" : processors;
  }

  private static void add(List<Row> rows, String tile, TileProcessInfo process) {
    rows.add(new Row(tile + " process", "", ProcessRows.text(process)));
    if (!process.reason().isEmpty()) {
      rows.add(new Row(tile + " last end", "", process.reason()));
    }
    ProcessRows.missing(process).forEach(line -> rows.add(new Row(tile + " sandbox", "", line)));
  }

  private static Table<Row> table() {
    return new Table<Row>("Nothing is known.")
        .column("subject", Row::subject)
        .whole()
        .column("wished", row -> row.wished().isEmpty() ? null : row.wished())
        .column(
            "in_force",
            "in force",
            row -> row.inForce().isEmpty() ? null : row.inForce(),
            Table::plain);
  }

  /** For tests. */
  InfoCommand of(String name) {
    net = name;
    return this;
  }
}
