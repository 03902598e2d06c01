package io.isle.faces.shell;

import io.isle.api.device.Recovery;
import io.isle.api.device.Recovery.Phase;
import io.isle.api.device.Recovery.PhaseTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Recoveries of devices as rows, for every command that shows some. */
public final class Recoveries {
  private Recoveries() {}

  /**
   * A row a recovery. JSON has a field for the time of each phase, summed over attempts, null where
   * it never came to that; people see what fits into 120 columns, and all of one in its {@link
   * #details}.
   */
  public static Table<Recovery> table() {
    Table<Recovery> table =
        new Table<Recovery>("No recoveries: no device has lost its driver since the node started.")
            .column("device", Recovery::device)
            .whole()
            .column("number", "#", Recovery::number, String::valueOf)
            .whole()
            .column("started", "when", Recoveries::started, Recoveries::seconds)
            .column("cause", recovery -> recovery.cause().kind().text())
            .column("outcome", recovery -> text(recovery.outcome()))
            .column("total_ns", "total", Recovery::totalNs, Sizes::nanos)
            .column("attempts", Recovery::attempts)
            .jsonOnly("standby", Recovery::standby)
            .jsonOnly("from_epoch", Recovery::fromEpoch)
            .jsonOnly("to_epoch", Recovery::toEpoch)
            .column("contexts", recovery -> recovery.work().contexts())
            .column("interrupted", recovery -> recovery.work().interrupted())
            .jsonOnly("kept", recovery -> recovery.work().kept())
            .jsonOnly("replayed", recovery -> recovery.work().replayed())
            .jsonOnly("restored", recovery -> recovery.work().restored())
            .column("lost", recovery -> recovery.work().lost());
    for (Phase phase : Phase.values()) {
      table.jsonOnly(text(phase) + "_ns", recovery -> times(recovery).get(phase));
    }
    return table
        .column("group", recovery -> recovery.group().isEmpty() ? null : recovery.group())
        .jsonOnly("text", recovery -> recovery.cause().text());
  }

  /** All of a recovery, a line a field; phases that never came have none. */
  public static List<String> details(Recovery recovery) {
    List<String> lines = new ArrayList<>();
    table()
        .object(recovery)
        .forEach(
            (key, value) -> {
              if (value != null) {
                boolean time = key.endsWith("_ns");
                String name = time ? key.substring(0, key.length() - "_ns".length()) : key;
                String text = time ? Sizes.nanos(value) : value.toString();
                lines.add(
                    String.format("%-16s%s", name.replace('_', ' '), TableLayout.clean(text)));
              }
            });
    return lines;
  }

  private static Map<Phase, Long> times(Recovery recovery) {
    Map<Phase, Long> times = new EnumMap<>(Phase.class);
    for (PhaseTime time : recovery.phases()) {
      times.merge(time.phase(), time.ns(), Long::sum);
    }
    return times;
  }

  private static String started(Recovery recovery) {
    return Instant.ofEpochMilli(recovery.startedEpochMs()).toString();
  }

  private static String seconds(Object time) {
    return time.toString().substring(0, 19).replace('T', ' ');
  }

  private static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
