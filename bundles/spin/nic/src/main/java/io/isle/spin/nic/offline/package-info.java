/** A run of handlers on the frames of a capture: one task at a time, without a clock. */
package io.isle.spin.nic.offline;
