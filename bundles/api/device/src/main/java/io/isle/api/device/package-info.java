/** The device tree: what devices there are, their state, and who hears of changes. */
@Export
@Version("3.0.0")
package io.isle.api.device;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
