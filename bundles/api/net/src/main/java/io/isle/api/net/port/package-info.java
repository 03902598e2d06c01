/** Ports of frames that are opened by an address in text, such as {@code udp:127.0.0.1:9330}. */
@Export
@Version("1.0.0")
package io.isle.api.net.port;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
