/**
 * Nets: network interfaces whose frames pass the kernel by; ports of frames for apps, and the
 * administrator's view.
 */
@Export
@Version("1.0.0")
package io.isle.api.net;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
