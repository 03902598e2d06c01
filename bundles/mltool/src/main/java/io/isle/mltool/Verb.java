package io.isle.mltool;

import java.io.IOException;
import java.util.List;

/** One thing that the tool does. */
@FunctionalInterface
interface Verb {
  /**
   * Does it.
   *
   * @param args the arguments behind the verb
   * @return the exit code
   * @throws UsageException wrong arguments
   * @throws IOException a file that cannot be read or written
   * @throws io.isle.api.base.IsleException a refused file
   */
  int run(List<String> args, Tool tool) throws IOException;
}
