package io.isle.faces.shell.agents;

import io.isle.faces.shell.Services;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.agent.AgentInfo;
import java.util.List;

/**
 * Agents at one time.
 *
 * @param atNs CLOCK_MONOTONIC
 */
record AgentsReading(long atNs, List<AgentInfo> agents) {
  static AgentsReading of(Services services) {
    return new AgentsReading(System.nanoTime(), services.with(AgentHost.class, AgentHost::agents));
  }
}
