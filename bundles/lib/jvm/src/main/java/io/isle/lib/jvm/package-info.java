/**
 * JVMs of their own for parts of the platform: copies of bundles for their class paths, what they
 * print, and the time between their starts.
 */
@Export
@Version("1.0.0")
package io.isle.lib.jvm;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
