/**
 * POSIX calls of Linux as checked Java methods: memory files, futexes, sockets, waits on
 * descriptors, unix sockets, netlink, network namespaces, signals, the scheduling of threads and
 * their processors.
 */
@Export
@Version("1.5.0")
package io.isle.lib.ffi;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
