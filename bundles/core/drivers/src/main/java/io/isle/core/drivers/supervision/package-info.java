/** Keeps each device open as its settings want it, until it is given up. */
package io.isle.core.drivers.supervision;
