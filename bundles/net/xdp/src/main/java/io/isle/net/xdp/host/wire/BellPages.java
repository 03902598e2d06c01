package io.isle.net.xdp.host.wire;

import java.lang.foreign.MemorySegment;

/**
 * By which a tile wakes the thread of an app in the platform.
 *
 * @param bell page of the process' bell, for reading and writing
 * @param agent page of the thread's sleep
 */
public record BellPages(MemorySegment bell, MemorySegment agent) {}
