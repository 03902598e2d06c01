/** Notes of administrators. */
@Export
@Version("1.0.0")
package io.isle.api.AREA;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
