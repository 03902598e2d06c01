/**
 * What is written down: control actions on accelerators, and work that a driver ended with an
 * error.
 */
package io.isle.core.accel.audit;
