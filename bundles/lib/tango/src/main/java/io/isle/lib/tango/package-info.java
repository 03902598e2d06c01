/**
 * Links of tiles in memory: rings of frame metadata, the data that the metadata refers to, progress
 * of consumers and flow control; byte-equal with those of Firedancer. Without threads and clocks.
 */
@Export
@Version("1.0.0")
package io.isle.lib.tango;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
