/** Agents: duty cycles placed on threads, which spin, yield or sleep without work. */
@Export
@Version("2.0.0")
package io.isle.lib.agent;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
