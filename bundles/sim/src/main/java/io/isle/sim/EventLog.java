package io.isle.sim;

import io.isle.core.accel.sched.Journal;
import java.io.PrintStream;

/** Writes what happens in the scheduler, an event a line. */
final class EventLog {
  static final Journal NOTHING = (kind, time, context, value, budget, deadline) -> {};

  private static final String[] NAMES = {
    "open",
    "close",
    "ready",
    "idle",
    "start",
    "end",
    "abandon",
    "exhaust",
    "replenish",
    "throttle",
    "release",
    "change",
    "policy"
  };

  private static final int TIME = 14;
  private static final int DEVICE = 8;
  private static final int NAME = 18;
  private static final int EVENT = 10;

  private final PrintStream out;
  private final boolean json;
  private final StringBuilder line = new StringBuilder();
  private long count;

  EventLog(PrintStream out, boolean json) {
    this.out = out;
    this.json = json;
  }

  /** The column heads of the text. */
  void begin() {
    if (!json) {
      pad("time_ns", TIME, true);
      pad("device", DEVICE, false);
      pad("context", NAME, false);
      pad("event", EVENT, false);
      pad("value_ns", TIME, true);
      pad("budget_ns", TIME, true);
      pad("deadline_ns", TIME, true);
      flush();
    }
  }

  /** That of a device. */
  Journal of(DeviceRun device, VirtualTime time) {
    return (kind, at, context, value, budget, deadline) ->
        write(
            time.nowNs(),
            device.spec().id(),
            kind == Journal.POLICY ? "-" : name(device, context),
            NAMES[kind],
            value,
            budget,
            deadline == 0 ? 0 : time.ofClock(deadline));
  }

  private static String name(DeviceRun device, int context) {
    if (context >= 0) {
      TenantRun tenant = device.tenant(context);
      return tenant == null ? "-" : tenant.spec().name();
    }
    return device.plane().groupName(-1 - context).map(group -> "group:" + group).orElse("-");
  }

  private void write(
      long time,
      String device,
      String context,
      String event,
      long value,
      long budget,
      long deadline) {
    if (json) {
      line.append(count++ == 0 ? "\n" : ",\n")
          .append("{\"time_ns\":")
          .append(time)
          .append(",\"device\":\"")
          .append(device)
          .append("\",\"context\":\"")
          .append(context)
          .append("\",\"event\":\"")
          .append(event)
          .append("\",\"value_ns\":")
          .append(value)
          .append(",\"budget_ns\":")
          .append(budget)
          .append(",\"deadline_ns\":")
          .append(deadline)
          .append('}');
      out.append(line);
      line.setLength(0);
    } else {
      pad(Long.toString(time), TIME, true);
      pad(device, DEVICE, false);
      pad(context, NAME, false);
      pad(event, EVENT, false);
      pad(Long.toString(value), TIME, true);
      pad(Long.toString(budget), TIME, true);
      pad(Long.toString(deadline), TIME, true);
      flush();
    }
  }

  private void pad(String text, int width, boolean right) {
    if (!line.isEmpty()) {
      line.append(' ');
    }
    int fill = Math.max(0, width - text.length());
    if (right) {
      line.repeat(' ', fill).append(text);
    } else {
      line.append(text).repeat(' ', fill);
    }
  }

  private void flush() {
    out.append(line).append('\n');
    line.setLength(0);
  }
}
