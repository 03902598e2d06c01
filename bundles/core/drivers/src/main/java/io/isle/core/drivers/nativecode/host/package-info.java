/** Tier 2: a driver in a host process, which is started, confined, watched and ended. */
package io.isle.core.drivers.nativecode.host;
