/** Proves the parameters of models. */
@Export
@Version("1.0.0")
package io.isle.lib.model.body;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
