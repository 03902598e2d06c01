package io.isle.core.agents;

import io.isle.api.base.CheckedSettings;
import io.isle.api.base.MonotonicClock;
import io.isle.api.base.Setting;
import io.isle.lib.agent.Agent;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.agent.AgentInfo;
import io.isle.lib.agent.ThreadedAgentHost;
import io.isle.lib.shm.AgentBells;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;

/** Offers {@link AgentHost}. Settings act on the agents that run. */
@Component(
    service = {AgentHost.class, AgentsComponent.class},
    configurationPid = AgentsSettings.PID)
public final class AgentsComponent implements AgentHost {
  private static final System.Logger LOG = System.getLogger(AgentsComponent.class.getName());
  private static final List<Setting> OF_ACCEL = List.of(AgentsSettings.SPINNERS);

  private final ThreadedAgentHost host = new ThreadedAgentHost(0, MonotonicClock.SYSTEM);
  private AgentsSettings settings;

  /** The same key of {@code io.isle.accel}. */
  private CheckedSettings ofAccel = CheckedSettings.defaults(OF_ACCEL);

  private boolean accelHasSpinners;
  private OptionalInt told = OptionalInt.empty();

  @Activate
  public AgentsComponent(Map<String, Object> properties) {
    settings =
        AgentsSettings.defaults(host.processors())
            .change(properties, why -> refused(AgentsSettings.PID, why));
    apply();
  }

  @Modified
  synchronized void modified(Map<String, Object> properties) {
    settings = settings.change(properties, why -> refused(AgentsSettings.PID, why));
    apply();
  }

  /** What stands in {@code io.isle.accel}. */
  synchronized void accel(Map<String, Object> properties) {
    ofAccel = ofAccel.change(properties, why -> refused(AccelSpinners.PID, why));
    accelHasSpinners = properties.containsKey(AgentsSettings.SPINNERS.key());
    apply();
  }

  private void apply() {
    AgentsSettings now = settings;
    host.choose(now::choice);
    int spinners = now.spinners().orElse((int) ofAccel.number(AgentsSettings.SPINNERS));
    host.spinners(AgentsSettings.spinners(spinners));
    OptionalInt used =
        accelHasSpinners && now.spinners().isEmpty()
            ? OptionalInt.of(spinners)
            : OptionalInt.empty();
    if (used.isPresent() && !used.equals(told)) {
      LOG.log(
          System.Logger.Level.INFO,
          "spinners = {0} of {1} is in force, because {2} does not set spinners",
          spinners,
          AccelSpinners.PID,
          AgentsSettings.PID);
    }
    told = used;
  }

  private static void refused(String pid, String why) {
    LOG.log(System.Logger.Level.WARNING, "{0}: {1}", pid, why);
  }

  @Deactivate
  void deactivate() {
    host.close();
  }

  @Override
  public Placement start(Agent agent, AgentBells bells) {
    return host.start(agent, bells);
  }

  @Override
  public List<AgentInfo> agents() {
    return host.agents();
  }
}
