package io.isle.benchmarks.programs;

import java.util.List;

/**
 * A job file and the words of the host program that does the same.
 *
 * @param name of the row
 * @param goal how many times better the job must be
 * @param peer name of the peer
 * @param job text of the job file, whose step {@link #STEP} reads {@link #INPUT} and writes {@link
 *     #OUTPUT}
 * @param warmUp runs before the first measurement
 * @param inside whether the job's claim {@link #SECONDS} is its time, else all from the request on
 * @param host verb, file of kernels and further words, without the two files
 * @param input contents of the input
 * @param inputBytes size of the input
 * @param outputBytes size of the output
 */
record JobCase(
    String name,
    double goal,
    String peer,
    String job,
    int warmUp,
    boolean inside,
    List<String> host,
    Input input,
    long inputBytes,
    long outputBytes) {
  /** Contents of an input. */
  enum Input {
    /** Floats from 0 to 100. */
    FLOATS,
    /** Whole numbers of 32 bits, keys and values in turn; keys repeat. */
    PAIRS
  }

  static final String INPUT = "in";
  static final String OUTPUT = "out";
  static final String SECONDS = "seconds";
  static final String STEP = "timed";

  /** Bytes of the input, the job's output and the peer's output together. */
  long room() {
    return inputBytes + 2 * outputBytes;
  }
}
