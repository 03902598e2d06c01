/** Shell commands on contexts and memory of accelerators. */
package io.isle.faces.shell.accel;
