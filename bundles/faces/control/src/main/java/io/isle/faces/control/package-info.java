/**
 * The control socket: runs shell commands for programs outside the JVM, above all the launcher.
 *
 * <p>Protocol, all numbers big-endian. The client sends one request: a 32-bit length and as many
 * bytes of UTF-8 text, {@code key=value} entries that each end with a NUL (see {@link
 * io.isle.faces.control.Request}). The server answers with frames: one byte of kind (1 standard
 * output, 2 standard error, 3 exit), a 32-bit length, the payload; the exit frame's payload is the
 * 32-bit exit code, and it is the last. After the request any byte from the client, or the end of
 * its stream, interrupts the command.
 *
 * <p>The socket lives in the instance's own folder and only the user that runs the platform gets
 * past the check of the peer's credentials.
 */
package io.isle.faces.control;
