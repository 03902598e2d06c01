/** How open devices fare: power, health, load; and faults on purpose. */
@Export
@Version("1.0.0")
package io.isle.api.health;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
