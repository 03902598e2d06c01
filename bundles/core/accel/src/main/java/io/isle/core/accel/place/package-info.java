/**
 * The slot of a device: its engine, the contexts that are opened there, and how the device is taken
 * out and the next one comes in. Uses {@code submit}, and nothing but the root uses it.
 */
package io.isle.core.accel.place;
