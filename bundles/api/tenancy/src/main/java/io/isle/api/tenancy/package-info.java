/** Who may do what: capabilities. */
@Export
@Version("1.0.0")
package io.isle.api.tenancy;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
