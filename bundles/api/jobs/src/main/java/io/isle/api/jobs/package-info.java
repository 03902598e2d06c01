/**
 * Jobs: files with computations and their devices, the results of runs, and kinds of steps and of
 * set-up resources from other bundles.
 */
@Export
@Version("2.1.0")
package io.isle.api.jobs;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
