package io.isle.api.driver;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Allocated device memory.
 *
 * @param size in bytes: the requested size, or this size rounded up to a page of the device, of at
 *     most 2 MiB, or 1 GiB for {@link AllocArgs.PageSize#HUGE_1G}
 * @param cpu the memory for the CPU, valid until the memory is freed; empty if the CPU cannot
 *     access the memory
 */
public record Allocation(long size, Optional<MemorySegment> cpu) {}
