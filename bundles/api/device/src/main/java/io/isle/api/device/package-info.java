/** The device tree: devices, their states, recoveries, and notifications of changes. */
@Export
@Version("3.0.0")
package io.isle.api.device;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
