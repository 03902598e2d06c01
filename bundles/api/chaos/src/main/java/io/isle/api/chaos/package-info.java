/** Chaos runs: random faults under a workload with verified results, and the report. */
@Export
@Version("1.0.0")
package io.isle.api.chaos;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
