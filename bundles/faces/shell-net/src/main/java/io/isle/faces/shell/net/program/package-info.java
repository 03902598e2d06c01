/** Commands about the programs that take frames from the kernel. */
package io.isle.faces.shell.net.program;
