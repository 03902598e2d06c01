package io.isle.core.drivers.supervision;

import io.isle.api.base.MonotonicClock;
import io.isle.api.device.Recovery;
import io.isle.core.drivers.recovery.RecoveryBook;
import io.isle.core.drivers.recovery.RecoveryServices;
import java.util.function.Consumer;

/**
 * What all devices are supervised with.
 *
 * @param ended hears of each recovery that came to an end
 */
public record SharedParts(
    RecoveryServices around,
    RecoveryBook book,
    PendingHandovers handovers,
    MonotonicClock clock,
    Consumer<Recovery> ended) {}
