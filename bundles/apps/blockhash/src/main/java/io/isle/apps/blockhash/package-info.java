/** The kind of step {@code blockhash}: compares hashes of a file with what the CPU computes. */
package io.isle.apps.blockhash;
