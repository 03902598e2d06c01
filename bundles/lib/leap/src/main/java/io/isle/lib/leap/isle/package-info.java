/**
 * The frames of dialect isle, the ring protocol of Isle on both ends, in bytes.
 * docs/ring-protocol.md has the tables.
 */
@Export
@Version("1.0.0")
package io.isle.lib.leap.isle;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
