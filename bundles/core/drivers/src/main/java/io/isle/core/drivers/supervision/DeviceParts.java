package io.isle.core.drivers.supervision;

import io.isle.core.drivers.recovery.Openings;
import io.isle.core.drivers.recovery.RecoverySequence;
import io.isle.core.drivers.recovery.StandbyKeeper;
import io.isle.core.drivers.recovery.Supervision;
import io.isle.lib.agent.SerialExecutor;

/** What one device is supervised with. All of it belongs to the device's lane. */
record DeviceParts(
    String id,
    SerialExecutor lane,
    SharedParts shared,
    Openings openings,
    StandbyKeeper standby,
    RecoverySequence sequence,
    Supervision machine,
    OpeningPlan plan) {}
