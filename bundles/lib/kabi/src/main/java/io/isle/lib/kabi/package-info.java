/** Layouts of the driver ABI, isle_kabi.h: offsets, sizes and numbers. */
@Export
@Version("1.0.0")
package io.isle.lib.kabi;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
