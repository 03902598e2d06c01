/**
 * Programmable network interfaces: rules that say which packets are handled, and their handlers.
 */
@Export
@Version("1.0.0")
package io.isle.api.spin;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
