package io.isle.lib.ffi;

/**
 * What {@link UnixConnection#receive} took.
 *
 * @param bytes size of the message; 0 also when the peer has disconnected
 * @param descriptor a descriptor of this process, which the receiver closes; -1 for none
 */
public record UnixMessage(int bytes, int descriptor) {}
