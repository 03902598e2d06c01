/**
 * Frames of Ethernet with IPv4 and UDP, and files of captured frames. Without threads, clocks and
 * sockets.
 */
@Export
@Version("1.0.0")
package io.isle.lib.packet;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
