package io.isle.faces.shell.net.program;

import io.isle.api.base.Errno;
import io.isle.api.net.FrameMatch;
import io.isle.api.net.FramePrograms;
import io.isle.api.net.ProgramLine;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.FileCompleter;

/** {@code net:program}. */
@Service
@Command(
    scope = "net",
    name = "program",
    description =
        "Lists or writes the program that redirects frames of UDP ports to the sockets of an XSKMAP;"
            + " see docs/net-program.md")
@RequiredRole(
    value = Role.VIEWER,
    reason = "To write a file the role manager is needed, which the command checks.")
public final class ProgramCommand extends IsleCommand {
  @Option(
      name = "--ports",
      description = "UDP destination ports, 1 to 16 numbers with commas between",
      required = true)
  private String ports;

  @Option(name = "--dst", description = "Destination address A.B.C.D; any if left out")
  private String address;

  @Option(name = "--no-gre", description = "Leave packets inside GRE to the kernel")
  private boolean withoutGre;

  @Option(
      name = "--map-fd",
      description =
          "Descriptor of the XSKMAP in the process that loads the program; 0 if left out, for a"
              + " loader that sets the descriptor itself")
  private int map;

  @Option(
      name = "--out",
      description =
          "File for the instructions, 8 bytes each; an existing file is replaced; a relative path"
              + " starts at the caller's directory; a listing instead if left out")
  @Completion(FileCompleter.class)
  private String out;

  private Actor actor;

  @Override
  protected void run(Output output) {
    FrameMatch match = Matches.of(ports, address, !withoutGre);
    if (map < 0) {
      throw ShellException.usage("--map-fd " + map + " is negative");
    }
    if (out == null) {
      output.table(
          table(),
          services().with(FramePrograms.class, all -> all.listing(all.program(match, map))));
      return;
    }
    checkRole();
    Path file = path(out);
    byte[] program = services().with(FramePrograms.class, all -> all.program(match, map));
    WholeFile.write(file, program);
    if (output.json()) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("file", file.toString());
      document.put("instructions", program.length / 8);
      document.put("bytes", program.length);
      document.put("map_fd", map);
      output.document(document);
    } else {
      output.line(file + " has " + program.length / 8 + " instructions");
    }
  }

  private static Table<ProgramLine> table() {
    return new Table<ProgramLine>("")
        .column("index", ProgramLine::index)
        .column("bytes", ProgramLine::bytes)
        .whole()
        .column("text", "instruction", ProgramLine::text, Table::plain)
        .whole();
  }

  /** Looking and writing are one command, which the scope's access list does not tell apart. */
  private void checkRole() {
    Actor user = actor == null ? Actor.current() : actor;
    if (user.has("admin") || user.has("manager")) {
      return;
    }
    String why =
        "net:program: " + user.text() + " may not write a file; the role manager is needed";
    services().ifThere(Audit.class, book -> recorded(book, user, why));
    throw ShellException.failed(why);
  }

  private static boolean recorded(Audit book, Actor user, String why) {
    book.record(AuditEvent.of(user, "shell.refuse").object("net").failed(Errno.EACCES, why));
    return true;
  }

  /** For tests. */
  ProgramCommand of(String numbers, String destination, boolean noGre) {
    ports = numbers;
    address = destination;
    withoutGre = noGre;
    return this;
  }

  /** For tests. */
  ProgramCommand to(String file, int descriptor, Actor as) {
    out = file;
    map = descriptor;
    actor = as;
    return this;
  }
}
