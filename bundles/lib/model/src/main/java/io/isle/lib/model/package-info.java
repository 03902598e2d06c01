/** Model files: their proof, and the engines that compute their answers. No OSGi services. */
@Export
@Version("1.0.0")
package io.isle.lib.model;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
