/** Screens of accelerators for tenants: modes, framebuffers, flips, pictures. */
@Export
@Version("1.0.0")
package io.isle.api.display;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
