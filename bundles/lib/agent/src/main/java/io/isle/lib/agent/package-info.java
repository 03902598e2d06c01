/** Agents: duty cycles placed on threads, with an adaptive idle strategy. */
@Export
@Version("1.1.0")
package io.isle.lib.agent;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
