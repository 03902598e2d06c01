/** What screens say of themselves: reads and checks EDID blocks. */
@Export
@Version("1.0.0")
package io.isle.lib.edid;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
