package io.isle.faces.shell.observe;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditFilter;
import io.isle.api.observe.AuditRecord;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/**
 * {@code audit:tail}. Managers and administrators see all, other users what they did themselves.
 */
@Service
@Command(
    scope = "audit",
    name = "tail",
    description =
        "Shows the newest records of the audit book: time, actor, action, object, outcome")
@RequiredRole(
    value = Role.VIEWER,
    reason = "A viewer sees only records of that viewer, which the command checks.")
public final class TailCommand extends IsleCommand {
  @Option(name = "-n", description = "Number of records, 1 to 10000; 20 if left out")
  private int limit = 20;

  @Option(name = "--actor", description = "Only records whose actor contains this text")
  private String actor;

  @Option(name = "--device", description = "Only records of this device, such as soft0")
  @Completion(DeviceCompleter.class)
  private String device;

  @Option(
      name = "--action",
      description =
          "Only records of this action, such as device.reset, or of this area of actions, such as"
              + " device")
  @Completion(ActionCompleter.class)
  private String action;

  @Option(
      name = "--follow",
      description = "Show new records, too, until interrupted; not with --json")
  private boolean follow;

  private Actor reader;

  @Override
  protected void run(Output output) {
    if (limit < 1 || limit > Audit.MAX_TAIL) {
      throw ShellException.usage("-n " + limit + " is not in 1.." + Audit.MAX_TAIL);
    }
    if (follow && output.json()) {
      throw ShellException.usage(
          "--follow and --json exclude each other: a JSON document needs an end");
    }
    Actor user = reader == null ? Actor.current() : reader;
    AuditFilter filter =
        new AuditFilter(
            Optional.ofNullable(actor != null || seesAll(user) ? actor : own(user)),
            Optional.ofNullable(device),
            Optional.ofNullable(action),
            0);
    int wanted = seesAll(user) ? limit : Audit.MAX_TAIL;
    List<AuditRecord> records = services().with(Audit.class, audit -> audit.tail(wanted, filter));
    List<AuditRecord> seen = visible(records, user);
    output.table(table(), seen.subList(Math.max(0, seen.size() - limit), seen.size()));
    if (follow) {
      follow(records.isEmpty() ? filter : filter.after(records.getLast().number()), user, output);
    }
  }

  /** Ends by an interrupt, or when the book goes. */
  private void follow(AuditFilter shown, Actor user, Output output) {
    AuditFilter filter = shown;
    while (true) {
      List<AuditRecord> records = next(filter);
      visible(records, user).forEach(entry -> output.line(line(entry)));
      if (!records.isEmpty()) {
        filter = filter.after(records.getLast().number());
      }
    }
  }

  /** For tests. */
  TailCommand of(int newest, String byActor, String byDevice, String byAction) {
    limit = newest;
    actor = byActor;
    device = byDevice;
    action = byAction;
    return this;
  }

  /** For tests. */
  TailCommand following() {
    follow = true;
    return this;
  }

  private List<AuditRecord> next(AuditFilter after) {
    return services()
        .with(
            Audit.class,
            audit -> {
              try {
                return audit.awaitNext(after);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw ShellException.failed("interrupted");
              }
            });
  }

  /** For tests. */
  TailCommand as(Actor user) {
    reader = user;
    return this;
  }

  private static boolean seesAll(Actor user) {
    return user.kind() != Actor.Kind.USER || user.has("manager") || user.has("admin");
  }

  /** In every record of the user; the book looks for it among all, not the newest only. */
  private static String own(Actor user) {
    return "user:" + user.name() + "(";
  }

  private static List<AuditRecord> visible(List<AuditRecord> records, Actor user) {
    return seesAll(user)
        ? records
        : records.stream().filter(entry -> user.isNamed(entry.event().actor())).toList();
  }

  private static Table<AuditRecord> table() {
    return new Table<AuditRecord>("No matching records.")
        .jsonOnly("number", AuditRecord::number)
        .column("time", "time", TailCommand::time, TailCommand::seconds)
        .column("actor", entry -> entry.event().actor())
        .column("action", entry -> entry.event().action())
        .column("device", entry -> orNull(entry.event().device()))
        .column("object", entry -> orNull(entry.event().object()))
        .column("outcome", TailCommand::outcome)
        .column("capability", TailCommand::capability)
        .column("detail", entry -> orNull(entry.event().detail()));
  }

  /** A row on its own: how wide those to come will be is not known. */
  private static String line(AuditRecord entry) {
    return table().lines(List.of(entry), 0).getLast();
  }

  private static String time(AuditRecord entry) {
    return Instant.ofEpochMilli(entry.epochMs()).toString();
  }

  private static String seconds(Object time) {
    return time.toString().substring(0, 19).replace('T', ' ');
  }

  private static String outcome(AuditRecord entry) {
    int code = entry.event().code();
    return code == 0 ? "ok" : Errno.name(code);
  }

  private static String capability(AuditRecord entry) {
    long id = entry.event().capability();
    return id == 0 ? null : Ids.text(id);
  }

  private static String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
