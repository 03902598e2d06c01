package io.isle.core.accel.context;

import io.isle.core.accel.device.Occupancy;
import io.isle.core.accel.fence.FenceDevice;
import io.isle.core.accel.queue.Bell;
import io.isle.core.accel.queue.PlaceCallbacks;
import java.lang.foreign.MemorySegment;

/**
 * What a device's place is for its contexts.
 *
 * @param occupancy which device is there
 * @param commands the command segment
 * @param bell wakes the device's agent
 * @param fence the device's part in fences
 * @param callbacks tell tenants of completions, and run what they defer
 */
public record ContextSite(
    String deviceId,
    Occupancy occupancy,
    MemorySegment commands,
    Bell bell,
    FenceDevice fence,
    PlaceCallbacks callbacks) {}
