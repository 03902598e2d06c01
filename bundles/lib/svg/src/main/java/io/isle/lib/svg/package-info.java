/** Writing of SVG pictures: page, colours, legend, and texts with their widths. */
@Export
@Version("1.2.0")
package io.isle.lib.svg;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
