/**
 * Layouts of the memory that the owner of a net shares with its tiles: rings of the kernel, the
 * ledger of frames, counters, routes. Without threads, clocks and sockets.
 */
@Export
@Version("1.0.0")
package io.isle.lib.tile;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
