/** Chaos: random faults under a checked workload, and what became of the work. */
@Export
@Version("1.0.0")
package io.isle.api.chaos;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
