package com.example.healthwatch;

import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DeviceSessionListener;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Health;
import io.isle.lib.agent.Agent;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.shm.AgentBells;
import java.lang.foreign.Arena;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Reads the health of each device that opens; as an agent, counts the readings by device. */
@Component(service = DeviceSessionListener.class)
public final class HealthWatch implements DeviceSessionListener, Agent {
  private static final System.Logger LOG = System.getLogger(HealthWatch.class.getName());

  private final AgentBells bells = new AgentBells(Arena.ofAuto().allocate(64, 64), Arena.ofAuto());
  private final Queue<String> given = new ConcurrentLinkedQueue<>();
  private final Map<String, Integer> readings = new TreeMap<>();
  private final AgentHost.Placement placement;
  private long cycleNs;

  @Activate
  public HealthWatch(@Reference AgentHost agents) {
    placement = agents.start(this, bells);
  }

  @Deactivate
  void stop() {
    placement.close();
    int ignored = doWork();
    LOG.log(System.Logger.Level.INFO, "readings: {0}", readings);
  }

  @Override
  public void opened(DeviceSession session) {
    String what = session.id() + " in epoch " + session.epoch();
    try {
      Health.Reading now = session.call(Health.class, Health::read);
      LOG.log(System.Logger.Level.INFO, "{0}: {1} memory errors", what, now.eccUncorrectable());
      given.add(session.id());
      bells.ring();
    } catch (DriverException e) {
      // the device has no counters, or has closed; its next opening calls this method again
      LOG.log(System.Logger.Level.INFO, "{0}: no reading: {1}", what, e.getMessage());
    }
  }

  @Override
  public void replaced(DeviceSession before, DeviceSession now) {
    opened(now);
  }

  @Override
  public void closed(DeviceSession session) {}

  @Override
  public String name() {
    return "health-watch";
  }

  @Override
  public int doWork() {
    cycleNs = System.nanoTime();
    int done = 0;
    for (String device = given.poll(); device != null; device = given.poll()) {
      readings.merge(device, 1, Integer::sum);
      done++;
    }
    return done;
  }

  @Override
  public long cycleNs() {
    return cycleNs;
  }

  @Override
  public void onFailure(Throwable cause) {
    LOG.log(System.Logger.Level.ERROR, "the agent has ended", cause);
  }
}
