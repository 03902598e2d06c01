package io.isle.core.accel.context;

import io.isle.core.accel.device.CurrentOpening;
import io.isle.core.accel.fence.FenceDevice;
import io.isle.core.accel.queue.Bell;
import io.isle.core.accel.queue.CallbackThreads;
import java.lang.foreign.MemorySegment;

/**
 * What a managed device gives its contexts.
 *
 * @param currentOpening which opening of the device is in use
 * @param commands the command segment
 * @param bell wakes the device's agent
 * @param fence the device's part in fences
 * @param callbacks tell tenants of completions, and run what they defer
 */
public record DeviceServices(
    String deviceId,
    CurrentOpening currentOpening,
    MemorySegment commands,
    Bell bell,
    FenceDevice fence,
    CallbackThreads callbacks) {}
