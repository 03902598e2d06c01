/**
 * Parts of network transports: names of hosts, permitted peers, repeated attempts, buffers of
 * sockets.
 */
@Export
@Version("1.0.0")
package io.isle.lib.net;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
