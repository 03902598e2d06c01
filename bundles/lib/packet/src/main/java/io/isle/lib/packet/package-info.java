/**
 * Frames of Ethernet with IPv4 and UDP: headers in memory, checksums, the reasons why a tile drops
 * a frame. Without threads, clocks and sockets.
 */
@Export
@Version("1.0.0")
package io.isle.lib.packet;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
