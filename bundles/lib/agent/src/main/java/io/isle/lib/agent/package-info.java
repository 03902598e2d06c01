/**
 * Agents: duty cycles placed on threads, which spin, yield or sleep without work; and the executor
 * for tasks that run one after the other.
 */
@Export
@Version("2.2.0")
package io.isle.lib.agent;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
