package io.isle.spin.nic.live;

import io.isle.api.accel.Accelerators;
import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.net.port.FramePortFactory;
import io.isle.api.spin.NicListener;
import io.isle.lib.agent.AgentHost;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * What all interfaces use.
 *
 * @param thread that changes them
 * @param host runs agents
 * @param ports opens ports, by scheme
 * @param events hears of all events; must not wait
 * @param weights of groups
 * @param ended is told the group and the last counters of a context that ends
 */
public record NicServices(
    NicThread thread,
    AgentHost host,
    Accelerators accelerators,
    DeviceSessions sessions,
    Function<String, Optional<FramePortFactory>> ports,
    MonotonicClock clock,
    NicListener events,
    ToIntFunction<String> weights,
    BiConsumer<String, GroupCount> ended) {}
