/** A driver and the device that it has open, whatever it is written in. */
package io.isle.core.drivers.driver;
