package io.isle.faces.shell.ring;

import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingFinding;
import io.isle.api.fabric.RingFinding.Topic;
import io.isle.api.fabric.RingFinding.Verdict;
import io.isle.api.fabric.RingSide;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code ring:check}. */
@Service
@Command(
    scope = "ring",
    name = "check",
    description =
        "Checks what keeps packets of a node from their way, without a packet or connection of its"
            + " own: settings, stage, transports, neighbours, dialects, MTU, buffers")
@RequiredRole(Role.VIEWER)
public final class CheckCommand extends IsleCommand {
  /** A connect has its outcome within three seconds. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

  private static final long LOOK_MS = 100;

  @Argument(name = "node", description = "Name of the node", required = true)
  @Completion(NodeCompleter.class)
  private String node;

  @Override
  protected void run(Output output) {
    long end = System.nanoTime() + PATIENCE_NS;
    List<RingFinding> findings = findings();
    while (isOpen(findings) && System.nanoTime() - end < 0) {
      pause();
      findings = findings();
    }
    output.table(table(), findings);
  }

  private List<RingFinding> findings() {
    return services().with(RingAdmin.class, admin -> admin.check(node));
  }

  private static boolean isOpen(List<RingFinding> findings) {
    return findings.stream()
        .anyMatch(one -> one.topic() == Topic.PATH && one.verdict() == Verdict.OPEN);
  }

  private static void pause() {
    try {
      Thread.sleep(LOOK_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ShellException.interrupted("the check was interrupted");
    }
  }

  private static Table<RingFinding> table() {
    return new Table<RingFinding>("Nothing to check.")
        .column("side", one -> one.side().map(RingSide::text).orElse(null))
        .column("topic", one -> one.topic().text())
        .whole()
        .column("verdict", one -> one.verdict().text())
        .whole()
        .column("text", "finding", RingFinding::text, Table::plain)
        .column("remedy", one -> one.remedy().isEmpty() ? null : one.remedy());
  }

  /** For tests. */
  CheckCommand of(String name) {
    node = name;
    return this;
  }
}
