/** Shell commands on groups. */
package io.isle.faces.shell.group;
