package io.isle.api.driver;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Device memory as it was allocated.
 *
 * @param size bytes: what was asked for, or that rounded up to a page of the device, which is 2 MiB
 *     at the most, or 1 GiB where {@link AllocArgs.PageSize#HUGE_1G} was asked for
 * @param cpu the memory itself where the CPU can see it, valid until it is freed
 */
public record Allocation(long size, Optional<MemorySegment> cpu) {}
