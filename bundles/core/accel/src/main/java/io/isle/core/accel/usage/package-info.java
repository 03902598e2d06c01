/**
 * What contexts and groups had of a device: sums, shares of late, times of waiting. Pure counters;
 * who owns one locks it, if it needs that.
 */
package io.isle.core.accel.usage;
