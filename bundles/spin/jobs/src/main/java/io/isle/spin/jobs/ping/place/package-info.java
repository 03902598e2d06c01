/** Where requests go: an interface that exists for a step, in a lab or on a port of UDP. */
package io.isle.spin.jobs.ping.place;
