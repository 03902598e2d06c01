/**
 * A device while it is open: its control lane, the processes of groups on it, who is told of its
 * failure; and how what drivers say is checked and shown.
 */
package io.isle.core.accel.device;
