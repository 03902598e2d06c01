/**
 * Jobs: files with computations and their devices, the results of runs, and kinds of steps from
 * other bundles.
 */
@Export
@Version("2.0.0")
package io.isle.api.jobs;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
