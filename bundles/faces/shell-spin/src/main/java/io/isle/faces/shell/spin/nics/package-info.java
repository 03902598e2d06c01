/** Commands of network interfaces at work. */
package io.isle.faces.shell.spin.nics;
