/** Tier 1: a driver that is a library of this process. */
package io.isle.core.drivers.nativecode.shim;
