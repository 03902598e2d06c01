package io.isle.api.net;

/**
 * An instruction of a listing. Immutable.
 *
 * @param index number of its first 8 bytes in the program, from 0
 * @param bytes 16 hexadecimal digits in the order of memory; 32 of an instruction of 16 bytes
 * @param text such as {@code if r5 != 0x8 goto 41}
 */
public record ProgramLine(int index, String bytes, String text) {}
