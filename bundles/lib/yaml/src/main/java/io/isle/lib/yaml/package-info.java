/** YAML files from anywhere, read within bounds; each mistake says where it stands. */
@Export
@Version("1.0.0")
package io.isle.lib.yaml;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
