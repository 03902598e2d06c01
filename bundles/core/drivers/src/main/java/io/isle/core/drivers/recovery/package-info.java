/** How a device is taken from one opening of its driver and given to the next, phase by phase. */
package io.isle.core.drivers.recovery;
