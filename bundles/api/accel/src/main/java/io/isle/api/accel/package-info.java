/** Accelerators for tenants: contexts, buffers, commands, programs and timelines. */
@Export
@Version("2.2.0")
package io.isle.api.accel;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
