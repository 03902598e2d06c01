/**
 * The ring protocol of LEAP in bytes: packets, control messages, chunks of datagrams and their
 * reassembly. Without threads, clocks and input or output: times are parameters, in nanoseconds of
 * a monotonic clock.
 */
@Export
@Version("1.0.0")
package io.isle.lib.leap;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
