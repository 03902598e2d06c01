/** Shell commands on rings: nodes and their links, packets of a master, measurements. */
package io.isle.faces.shell.ring;
