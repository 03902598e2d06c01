/** The audit log: actions on this node and their authors. */
@Export
@Version("1.2.0")
package io.isle.api.observe;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
