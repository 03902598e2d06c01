/**
 * Memory of contexts and of what they share with devices: its contents over recoveries, its limits,
 * its ranges. No calls of drivers.
 */
package io.isle.core.accel.memory;
