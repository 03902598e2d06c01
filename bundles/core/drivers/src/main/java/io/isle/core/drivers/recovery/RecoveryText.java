package io.isle.core.drivers.recovery;

import io.isle.api.device.Recovery;
import java.util.Locale;
import java.util.stream.Collectors;

/** Recoveries in words. */
public final class RecoveryText {
  private RecoveryText() {}

  /** One line for the log and the book of audit. */
  public static String line(Recovery recovery) {
    Recovery.Work work = recovery.work();
    return String.format(
        Locale.ROOT,
        "%s%s after %s in %.3f ms, %d attempt(s)%s: %d contexts, interrupted %d, kept %d, replayed"
            + " %d; %s; cause: %s",
        recovery.group().isEmpty() ? "" : "group " + recovery.group() + " ",
        recovery.outcome().name().toLowerCase(Locale.ROOT),
        recovery.cause().kind().text(),
        recovery.totalNs() / 1e6,
        recovery.attempts(),
        recovery.standby() ? " from the standby" : "",
        work.contexts(),
        work.interrupted(),
        work.kept(),
        work.replayed(),
        recovery.phases().stream()
            .map(
                time ->
                    String.format(
                        Locale.ROOT,
                        "%s %.3f",
                        time.phase().name().toLowerCase(Locale.ROOT),
                        time.ns() / 1e6))
            .collect(Collectors.joining(", ")),
        recovery.cause().text());
  }
}
