/** Programmable network interfaces: the matcher, and what packets allocate. */
package io.isle.benchmarks.spin;
