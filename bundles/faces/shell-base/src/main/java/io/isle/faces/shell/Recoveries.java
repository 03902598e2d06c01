package io.isle.faces.shell;

import io.isle.api.device.Recovery;
import io.isle.api.device.Recovery.Phase;
import io.isle.api.device.Recovery.PhaseTime;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Recoveries of devices as rows, for every command that shows some. */
public final class Recoveries {
  private Recoveries() {}

  /**
   * A row a recovery. JSON has a field for the time of each phase, summed over attempts, null where
   * it never came to that; people see the phases in one column.
   */
  public static Table<Recovery> table() {
    Table<Recovery> table =
        new Table<Recovery>("No recoveries: no device lost its driver since the node started.")
            .column("device", Recovery::device)
            .column("number", "#", Recovery::number, String::valueOf)
            .column("started", "when", Recoveries::started, Recoveries::seconds)
            .column("cause", recovery -> recovery.cause().kind().text())
            .column("outcome", recovery -> text(recovery.outcome()))
            .column("total_ns", "total", Recovery::totalNs, Sizes::nanos)
            .column("attempts", Recovery::attempts)
            .column("standby", Recovery::standby)
            .jsonOnly("from_epoch", Recovery::fromEpoch)
            .column("to_epoch", "epoch", Recovery::toEpoch, String::valueOf)
            .column("contexts", recovery -> recovery.work().contexts())
            .column("interrupted", recovery -> recovery.work().interrupted())
            .column("kept", recovery -> recovery.work().kept())
            .column("replayed", recovery -> recovery.work().replayed())
            .column("restored", recovery -> recovery.work().restored())
            .column("lost", recovery -> recovery.work().lost());
    for (Phase phase : Phase.values()) {
      table.jsonOnly(text(phase) + "_ns", recovery -> times(recovery).get(phase));
    }
    return table
        .column("group", recovery -> recovery.group().isEmpty() ? null : recovery.group())
        .column("text", recovery -> recovery.cause().text())
        .shownOnly("phases", Recoveries::phases);
  }

  private static Map<Phase, Long> times(Recovery recovery) {
    Map<Phase, Long> times = new EnumMap<>(Phase.class);
    for (PhaseTime time : recovery.phases()) {
      times.merge(time.phase(), time.ns(), Long::sum);
    }
    return times;
  }

  /** Such as {@code freeze 12.0 us, fail 1.0 us}. */
  private static String phases(Recovery recovery) {
    return times(recovery).entrySet().stream()
        .map(time -> text(time.getKey()) + " " + Sizes.nanos(time.getValue()))
        .collect(Collectors.joining(", "));
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
