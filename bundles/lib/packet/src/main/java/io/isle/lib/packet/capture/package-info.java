/**
 * Files of captured frames, pcap and pcapng: read from hostile bytes, and written. Without threads
 * and clocks.
 */
@Export
@Version("1.0.0")
package io.isle.lib.packet.capture;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
