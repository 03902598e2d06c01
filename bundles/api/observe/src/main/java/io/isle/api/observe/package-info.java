/** The audit log, with actions on this node and their authors; metrics, figures for monitoring. */
@Export
@Version("1.3.0")
package io.isle.api.observe;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
