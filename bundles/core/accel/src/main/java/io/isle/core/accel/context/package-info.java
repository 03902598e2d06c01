/**
 * What a context is, without its submissions: its record, its memory and its programs. A context
 * takes the services that it uses as two records: {@link io.isle.core.accel.context.DeviceServices}
 * of its device and {@link io.isle.core.accel.context.CoreServices} of the node. Uses {@code
 * admission}.
 */
package io.isle.core.accel.context;
