/** Timelines of tenants: the points that their own processors signal. Used by {@code submit}. */
package io.isle.core.accel.timeline;
