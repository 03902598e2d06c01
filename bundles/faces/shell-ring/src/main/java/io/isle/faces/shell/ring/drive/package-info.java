/** Packets of a master through its ring: a sender, a receiver, and a window between both. */
package io.isle.faces.shell.ring.drive;
