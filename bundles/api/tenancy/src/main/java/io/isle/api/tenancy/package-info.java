/** Who may do what, and how much of it: capabilities, and groups that share the devices. */
@Export
@Version("1.2.0")
package io.isle.api.tenancy;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
