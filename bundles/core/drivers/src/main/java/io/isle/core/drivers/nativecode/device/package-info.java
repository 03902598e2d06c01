/** An open device of a native driver, and each of its extensions. */
package io.isle.core.drivers.nativecode.device;
