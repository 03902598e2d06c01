/** POSIX calls of Linux as checked Java methods: memory files, futexes, unix sockets, signals. */
@Export
@Version("1.0.0")
package io.isle.lib.ffi;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
