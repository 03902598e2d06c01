/** Hybrid signatures (Ed25519 and ML-DSA-65) of native drivers, and the files of their keys. */
@Export
@Version("1.0.0")
package io.isle.lib.signing;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
