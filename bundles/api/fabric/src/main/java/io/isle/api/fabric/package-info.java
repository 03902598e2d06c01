/**
 * Rings of nodes that pass packets: endpoints for tenants, stages, transports and the
 * administrator's view.
 */
@Export
@Version("1.0.0")
package io.isle.api.fabric;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
