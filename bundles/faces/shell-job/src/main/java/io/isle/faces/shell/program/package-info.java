/** What programs of files have, as a device's driver tells. */
package io.isle.faces.shell.program;
