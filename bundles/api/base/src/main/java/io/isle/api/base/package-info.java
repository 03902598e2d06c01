/** Identifiers, error codes, clocks and settings that every other API package builds on. */
@Export
@Version("1.3.0")
package io.isle.api.base;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
