/**
 * A simulated device in plain Java: real programs on real memory, with latencies and faults as the
 * administrator says. A driver like any other, and the proof that the Java contract can be kept.
 *
 * <p>Capacities: 256 submissions queued a context ({@code -EAGAIN} beyond), 64 bindings a
 * submission ({@code -EINVAL} beyond), 16 planned faults.
 */
package io.isle.drivers.sim;
