/**
 * Frames in banks of shared memory, between one writer and one reader that do not trust each other,
 * and the numbers of LEAP's kernel module.
 */
@Export
@Version("1.0.0")
package io.isle.lib.leap.banks;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
