/**
 * Packets of a master through its ring: a sender, a receiver, and a window between both. A lost
 * packet is either reported, or sent again until its reply comes.
 */
@Export
@Version("1.0.0")
package io.isle.lib.drive;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
