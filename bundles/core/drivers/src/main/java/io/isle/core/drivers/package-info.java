/** Loads drivers, opens and closes their devices, and watches over them. */
package io.isle.core.drivers;
