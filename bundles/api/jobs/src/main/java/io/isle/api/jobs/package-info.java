/**
 * Jobs: files that say what to compute on which device, and how they ran; and the kinds of steps
 * that other bundles bring.
 */
@Export
@Version("1.1.0")
package io.isle.api.jobs;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
