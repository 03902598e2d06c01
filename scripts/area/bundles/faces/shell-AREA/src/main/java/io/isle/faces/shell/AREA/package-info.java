/** Shell commands on notes. */
package io.isle.faces.shell.AREA;
