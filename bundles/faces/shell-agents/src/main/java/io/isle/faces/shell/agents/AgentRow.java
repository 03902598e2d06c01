package io.isle.faces.shell.agents;

import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import io.isle.lib.agent.AgentInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An agent at the second of two readings, and what it did between them.
 *
 * @param workPercent of the time between; null without any
 * @param idlePercent of the time between; null without any
 * @param sleepPercent of the time between; null without any
 */
record AgentRow(AgentInfo agent, Double workPercent, Double idlePercent, Double sleepPercent) {
  static List<AgentRow> between(AgentsReading before, AgentsReading now) {
    Map<String, AgentInfo> earlier = new HashMap<>();
    before.agents().forEach(agent -> earlier.put(agent.name(), agent));
    long passedNs = now.atNs() - before.atNs();
    return now.agents().stream()
        .map(agent -> of(earlier.get(agent.name()), agent, passedNs))
        .toList();
  }

  /** One that was not there before, or has begun anew, did all of it since. */
  private static AgentRow of(AgentInfo earlier, AgentInfo now, long passedNs) {
    AgentInfo before = earlier != null && earlier.idled() <= now.idled() ? earlier : null;
    return new AgentRow(
        now,
        percent(now.workNs() - (before == null ? 0 : before.workNs()), passedNs),
        percent(now.idleNs() - (before == null ? 0 : before.idleNs()), passedNs),
        percent(now.sleepNs() - (before == null ? 0 : before.sleepNs()), passedNs));
  }

  private static Double percent(long partNs, long passedNs) {
    return passedNs <= 0 ? null : Math.clamp(100.0 * partNs / passedNs, 0, 100);
  }

  static Table<AgentRow> table() {
    return new Table<AgentRow>("No agents. Each open device has an agent; see device:list.")
        .column("agent", row -> row.agent().name())
        .whole()
        .column("thread", row -> row.agent().thread())
        .shownOnly("cpu", row -> processors(row.agent()))
        .jsonOnly("processors", row -> row.agent().processors())
        .column("idle", row -> row.agent().idle().text())
        .column("state", row -> row.agent().state())
        .column("work_percent", "work %", AgentRow::workPercent, Sizes::tenths)
        .column("idle_percent", "idle %", AgentRow::idlePercent, Sizes::tenths)
        .column("sleep_percent", "sleep %", AgentRow::sleepPercent, Sizes::tenths)
        .column("worked", "cycles", row -> row.agent().worked(), Table::plain)
        .spare()
        .column("idled", "idle cycles", row -> row.agent().idled(), Table::plain)
        .spare()
        .column("sleeps", row -> row.agent().sleeps())
        .spare()
        .jsonOnly("work_ns", row -> row.agent().workNs())
        .jsonOnly("idle_ns", row -> row.agent().idleNs())
        .jsonOnly("sleep_ns", row -> row.agent().sleepNs());
  }

  private static String processors(AgentInfo agent) {
    return agent.processors().isEmpty()
        ? "any"
        : agent.processors().stream().map(String::valueOf).collect(Collectors.joining(" "));
  }
}
