/** Jobs: files that say what to compute on which device, and how they ran. */
@Export
@Version("1.0.0")
package io.isle.api.jobs;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
