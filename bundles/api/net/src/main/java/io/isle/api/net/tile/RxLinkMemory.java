package io.isle.api.net.tile;

import java.lang.foreign.MemorySegment;

/**
 * A link to one instance of an app: an mcache whose chunks count from the begin of the UMEM, and
 * whose lines own a frame each. A link that was left out of an opening must not be named again.
 *
 * @param app number of the app in the table of apps, 0 to 7
 * @param instance 0 to 63, without gaps in an app: frames are shared out by hash
 * @param mcache made before; the tile alone writes
 */
public record RxLinkMemory(int app, int instance, MemorySegment mcache) {}
