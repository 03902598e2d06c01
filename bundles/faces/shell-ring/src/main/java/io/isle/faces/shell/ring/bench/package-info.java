/** Measurements of a ring from its master: latency of round trips, throughput, a picture. */
package io.isle.faces.shell.ring.bench;
