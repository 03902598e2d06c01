/** Native drivers: a shared library in the JVM (tier 1) or in a host process (tier 2). */
package io.isle.core.drivers.nativecode;
