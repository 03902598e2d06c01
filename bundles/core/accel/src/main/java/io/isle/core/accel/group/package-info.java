/**
 * What groups mean for accelerators: their keys, and which guarantees can be kept together. Pure:
 * no threads, no clock, no services.
 */
package io.isle.core.accel.group;
