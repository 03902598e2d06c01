/** Core ids and other fixed amounts as they are given out, of which a tenant has at most half. */
@Export
@Version("1.0.0")
package io.isle.lib.ids;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
