/**
 * Managed devices: the engine of each, the contexts that are opened on it, and how one opening is
 * taken out and the next one comes in. Uses {@code submit}, and nothing but the root uses it.
 */
package io.isle.core.accel.managed;
