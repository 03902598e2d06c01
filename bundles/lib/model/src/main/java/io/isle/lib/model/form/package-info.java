/** The numbers of models, and their bytes in files. */
@Export
@Version("1.0.0")
package io.isle.lib.model.form;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
