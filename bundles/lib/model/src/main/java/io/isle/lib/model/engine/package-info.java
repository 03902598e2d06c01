/** Computes the answers of models, and bounds the time. */
@Export
@Version("1.0.0")
package io.isle.lib.model.engine;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
