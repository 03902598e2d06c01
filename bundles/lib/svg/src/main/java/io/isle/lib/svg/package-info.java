/** Texts of SVG pictures: how wide they are, and how they are written. */
@Export
@Version("1.0.0")
package io.isle.lib.svg;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
