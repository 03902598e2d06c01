package io.isle.core.agents;

import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;

/**
 * Reads {@code spinners} of {@code io.isle.accel}, which holds while {@code io.isle.agents} has no
 * such key.
 */
@Component(
    service = {},
    immediate = true,
    configurationPid = AccelSpinners.PID)
public final class AccelSpinners {
  static final String PID = "io.isle.accel";

  private final AgentsComponent agents;

  @Activate
  public AccelSpinners(@Reference AgentsComponent agents, Map<String, Object> properties) {
    this.agents = agents;
    agents.accel(properties);
  }

  @Modified
  void modified(Map<String, Object> properties) {
    agents.accel(properties);
  }
}
