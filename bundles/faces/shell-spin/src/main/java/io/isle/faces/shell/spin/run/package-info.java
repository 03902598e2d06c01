/** Shell commands that build handlers of packets and run them on captures. */
package io.isle.faces.shell.spin.run;
