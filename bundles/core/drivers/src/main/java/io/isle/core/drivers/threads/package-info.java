/** The threads of this bundle: one lane for each device, workers, and calls with a bound. */
package io.isle.core.drivers.threads;
