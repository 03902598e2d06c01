package io.isle.faces.shell.accel;

import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.ContextInfo;
import io.isle.api.accel.Estimate;
import io.isle.api.accel.GroupUsage;
import io.isle.api.accel.Usage;
import io.isle.api.base.GroupNames;
import io.isle.api.device.DeviceNode;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import io.isle.faces.shell.Usages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What happened between two readings on a device, or in one context of it.
 *
 * @param context id; null for the whole device
 * @param name of the context; null for the device
 * @param tenant of the context; null for the device
 * @param queue submissions that wait at the second reading
 * @param busyPercent of the time of all compute units; null when the device is not open
 * @param waitNs about how long a submission waited: mean queue over rate (Little's law); null when
 *     none ended
 * @param perSecond submissions that ended
 * @param memoryTotal null for a context, and when the device is not open
 * @param usage promise, waits and limits so far; null when the device is not open
 * @param estimate how long submissions were thought to take; null for the device
 */
record TopRow(
    String device,
    String context,
    String name,
    String tenant,
    String state,
    long queue,
    long inFlight,
    Double busyPercent,
    Long waitNs,
    double perSecond,
    long memoryBytes,
    Long memoryTotal,
    Usage usage,
    Estimate estimate) {
  /** Counts of a context or of all of a device. */
  private record Counts(double queue, long waiting, long inFlight, long ended, long busyNs) {
    static final Counts NONE = new Counts(0, 0, 0, 0, 0);

    /** A context that was not there before has done all of it since. */
    static Counts between(ContextInfo before, ContextInfo now) {
      return new Counts(
          (now.pending() + (before == null ? 0 : before.pending())) / 2.0,
          now.pending(),
          now.inFlight(),
          now.completed() - (before == null ? 0 : before.completed()),
          now.busyNs() - (before == null ? 0 : before.busyNs()));
    }

    Counts plus(Counts other) {
      return new Counts(
          queue + other.queue,
          waiting + other.waiting,
          inFlight + other.inFlight,
          ended + other.ended,
          busyNs + other.busyNs);
    }

    Long waitNs(long passedNs) {
      return ended <= 0 ? null : Math.round(queue * passedNs / ended);
    }

    double perSecond(long passedNs) {
      return Math.max(0, ended) * 1e9 / passedNs;
    }

    Double busyPercent(long passedNs, AcceleratorInfo device) {
      return device == null
          ? null
          : 100.0 * Math.max(0, busyNs) / passedNs / Math.max(1, device.computeUnits());
    }
  }

  /** Each device, followed by its contexts. */
  static List<TopRow> between(TopReading before, TopReading now) {
    long passedNs = Math.max(1, now.atNs() - before.atNs());
    Map<String, ContextInfo> earlier = new HashMap<>();
    before.contexts().forEach(context -> earlier.put(context.id(), context));
    List<TopRow> rows = new ArrayList<>();
    for (DeviceNode device : now.devices()) {
      AcceleratorInfo open =
          now.open().stream().filter(one -> one.id().equals(device.id())).findFirst().orElse(null);
      Counts all = Counts.NONE;
      List<TopRow> own = new ArrayList<>();
      for (ContextInfo context : now.contexts()) {
        if (context.device().equals(device.id())) {
          Counts counts = Counts.between(earlier.get(context.id()), context);
          all = all.plus(counts);
          own.add(of(context, counts, passedNs, open));
        }
      }
      rows.add(of(device, all, passedNs, open, usage(now, device.id())));
      rows.addAll(own);
    }
    return rows;
  }

  private static Usage usage(TopReading now, String device) {
    return now.groups().stream()
        .filter(row -> row.device().equals(device) && row.group().equals(GroupNames.DEFAULT))
        .findFirst()
        .map(GroupUsage::usage)
        .orElse(null);
  }

  private static TopRow of(
      DeviceNode device, Counts all, long passedNs, AcceleratorInfo open, Usage usage) {
    return new TopRow(
        device.id(),
        null,
        null,
        null,
        device.state().text(),
        all.waiting(),
        all.inFlight(),
        all.busyPercent(passedNs, open),
        all.waitNs(passedNs),
        all.perSecond(passedNs),
        open == null ? 0 : open.memoryUsedBytes(),
        open == null ? null : open.memoryBytes(),
        open == null ? null : usage,
        null);
  }

  private static TopRow of(
      ContextInfo context, Counts counts, long passedNs, AcceleratorInfo open) {
    return new TopRow(
        context.device(),
        context.id(),
        context.name(),
        context.tenant(),
        context.state(),
        counts.waiting(),
        counts.inFlight(),
        counts.busyPercent(passedNs, open),
        counts.waitNs(passedNs),
        counts.perSecond(passedNs),
        context.memoryBytes(),
        null,
        context.usage(),
        context.estimate());
  }

  /** For people the tenants stand below their device: each context has one. */
  static Table<TopRow> table() {
    return EstimateColumns.add(
        Usages.fields(activity(), TopRow::usage)
            .column("memory_bytes", "memory", TopRow::memoryBytes, Sizes::bytes)
            .column("memory_total", "of", TopRow::memoryTotal, Sizes::bytes)
            .spare()
            .shownOnly("p99", row -> Usages.wait(row.usage()))
            .spare(),
        TopRow::estimate);
  }

  private static Table<TopRow> activity() {
    return new Table<TopRow>("No open devices; see device:list.")
        .shownOnly("device", row -> row.context() == null ? row.device() : "  " + row.tenant())
        .whole()
        .jsonOnly("device", TopRow::device)
        .jsonOnly("context", TopRow::context)
        .column("name", "context", TopRow::name, Table::plain)
        .jsonOnly("tenant", TopRow::tenant)
        .column("state", TopRow::state)
        .column("queue", TopRow::queue)
        .column("in_flight", "flight", TopRow::inFlight, Table::plain)
        .column("busy_percent", "busy %", TopRow::busyPercent, Sizes::tenths)
        .column("wait_ns", "wait", TopRow::waitNs, Sizes::nanos)
        .column("ended_per_s", "ended/s", TopRow::perSecond, Sizes::tenths);
  }
}
