/**
 * How the owner of a net has frames moved by a tile: memory and three calls go in, a state machine
 * comes back. The owner keeps the memory, so tiles come and go without loss.
 */
@Export
@Version("1.0.0")
package io.isle.api.net.tile;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
