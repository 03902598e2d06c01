package io.isle.core.drivers.recovery;

import io.isle.core.drivers.session.SessionBoard;
import io.isle.core.drivers.threads.Background;
import java.util.function.Supplier;

/** Services that the recoveries of all devices share. */
public record RecoveryServices(
    Participants participants,
    SessionBoard sessions,
    HostWatch watch,
    Background background,
    Supplier<DriverTuning> tuning) {}
