/** The contract between the core and a driver in Java. The C counterpart is isle_kabi.h. */
@Export
@Version("3.1.0")
package io.isle.api.driver;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
