package io.isle.core.drivers.recovery;

import io.isle.core.drivers.driver.OpenedDevice;
import io.isle.core.drivers.session.OpenSession;

/** A device that is open, for its owner, and as it is lent. */
public record OwnedDevice(OpenedDevice opened, OpenSession session) {}
