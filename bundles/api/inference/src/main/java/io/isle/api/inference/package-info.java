/**
 * Decisions by models: points where a signed, bounded model may answer in the place of a rule, and
 * the deciders through which owners of such points ask.
 */
@Export
@Version("1.0.0")
package io.isle.api.inference;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
