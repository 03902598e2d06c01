/** The threads of this bundle beside those of devices: workers, and calls with a bound. */
package io.isle.core.drivers.threads;
