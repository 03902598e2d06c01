/** Shell commands of programmable network interfaces. */
package io.isle.faces.shell.spin;
