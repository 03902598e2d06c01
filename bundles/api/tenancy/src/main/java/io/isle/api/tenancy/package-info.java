/** Permissions and shares of tenants: capabilities, and groups that share devices. */
@Export
@Version("1.4.0")
package io.isle.api.tenancy;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
