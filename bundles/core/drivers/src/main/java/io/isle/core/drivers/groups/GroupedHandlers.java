package io.isle.core.drivers.groups;

import io.isle.api.driver.HandlerUnits;
import io.isle.api.driver.HpuCaps;
import io.isle.api.driver.HpuLimits;
import io.isle.api.driver.HpuReport;
import io.isle.core.drivers.session.Routed;
import java.util.function.Function;

/**
 * The HPUs of a device in several processes. Each call is made on the lane of the process that has
 * the context, so that handlers of one group hold no other group up.
 */
final class GroupedHandlers implements HandlerUnits, Routed {
  private final GroupHosts hosts;
  private final HandlerUnits own;

  /**
   * @param own of the device's own process
   */
  GroupedHandlers(GroupHosts hosts, HandlerUnits own) {
    this.hosts = hosts;
    this.own = own;
  }

  /** They are settings of the device, so its own process knows them. */
  @Override
  public HpuCaps caps() {
    return hosts.rootLane().call("HPU caps", own::caps);
  }

  @Override
  public void attach(long context, long program, long[] memories, HpuLimits limits) {
    boolean ignored =
        run(
            "attach handlers",
            context,
            units -> {
              units.attach(context, program, memories, limits);
              return true;
            });
  }

  @Override
  public void detach(long context) {
    boolean ignored =
        run(
            "detach handlers",
            context,
            units -> {
              units.detach(context);
              return true;
            });
  }

  @Override
  public HpuReport report(long context) {
    return run("report of handlers", context, units -> units.report(context));
  }

  private <T> T run(String what, long context, Function<HandlerUnits, T> call) {
    GroupHosts.Having process = hosts.having(context);
    return process
        .lane()
        .call(what, () -> call.apply(process.port().extension(HandlerUnits.class).orElseThrow()));
  }
}
