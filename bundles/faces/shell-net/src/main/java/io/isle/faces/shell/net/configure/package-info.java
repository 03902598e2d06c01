/** The command that prepares interfaces of the machine for nets. */
package io.isle.faces.shell.net.configure;
