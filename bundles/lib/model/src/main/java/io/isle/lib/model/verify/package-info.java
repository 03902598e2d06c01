/** Verification of single signatures; the only user of BouncyCastle. */
@Export
@Version("1.0.0")
package io.isle.lib.model.verify;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
