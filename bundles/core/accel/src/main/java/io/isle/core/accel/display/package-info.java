/**
 * The screens of one device, which outlive it: how they are set, what they show, who waits for it.
 */
package io.isle.core.accel.display;
