package io.isle.api.driver;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Device memory as it was allocated.
 *
 * @param size bytes, at least what was asked for
 * @param cpu the memory itself where the CPU can see it, valid until it is freed
 */
public record Allocation(long size, Optional<MemorySegment> cpu) {}
