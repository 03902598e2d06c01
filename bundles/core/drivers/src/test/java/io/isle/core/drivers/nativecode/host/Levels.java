package io.isle.core.drivers.nativecode.host;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;

/** A log that is told as level and words. */
final class Levels {
  private Levels() {}

  static Logger logger(Consumer<String> told) {
    return (Logger)
        Proxy.newProxyInstance(
            Levels.class.getClassLoader(),
            new Class<?>[] {Logger.class},
            (self, method, arguments) -> {
              told.accept(
                  method.getName()
                      + " "
                      + Arrays.stream(arguments)
                          .skip(1)
                          .map(String::valueOf)
                          .collect(Collectors.joining(" ")));
              return null;
            });
  }
}
