/** Files whose contents go round a ring, and files of replies. */
package io.isle.faces.shell.ring.drive;
