/**
 * The simulator: the agent and the scheduler of devices, as they run live, under virtual time, with
 * scripted devices and workloads. A program of its own, {@code ./isle sim}.
 */
package io.isle.sim;
