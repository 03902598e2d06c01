/** Shell commands on devices. */
package io.isle.faces.shell.device;
