/** Clients that send echo requests to one address, of ICMP or UDP, and check and count answers. */
@Export
@Version("1.0.0")
package io.isle.lib.net.ping;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
