/** State of open devices: power, health, load, and fault injection. */
@Export
@Version("1.0.0")
package io.isle.api.health;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
