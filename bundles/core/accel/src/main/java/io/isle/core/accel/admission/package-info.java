/**
 * Which contexts may be, and what their groups have had of devices. Admission knows a context as a
 * {@link io.isle.core.accel.admission.Member} and no device at all. Uses {@code group} and {@code
 * usage}.
 */
package io.isle.core.accel.admission;
