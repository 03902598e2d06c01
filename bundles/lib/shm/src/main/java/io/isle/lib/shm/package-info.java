/**
 * Shared segments, rings and doorbells between the core and a driver host. The C counterpart is
 * isle_wire.h.
 */
@Export
@Version("1.2.0")
package io.isle.lib.shm;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
