package io.isle.core.drivers;

/** What one device is supervised with. All of it belongs to the device's lane. */
record DeviceParts(
    String id,
    SerialLane lane,
    DeviceOpener.Shared shared,
    Openings openings,
    StandbyKeeper standby,
    RecoverySequence sequence,
    Supervision machine,
    OpeningPlan plan) {}
