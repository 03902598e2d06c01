/**
 * Hybrid keys (Ed25519 with ML-DSA-65 or ML-DSA-87) in files, and the signatures of native drivers.
 */
@Export
@Version("1.0.0")
package io.isle.lib.signing;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
