package io.isle.tck;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Comes between the suite and a driver: sees each call and may answer it otherwise. */
@FunctionalInterface
interface Hook {
  /** The call as it would be without the hook. */
  interface Real {
    Object call(Object... args) throws Throwable;
  }

  /**
   * A call.
   *
   * @param what interface and method, such as {@code AccelDevice.submit}
   */
  Object on(String what, Object[] args, Real real, World world) throws Throwable;

  /** {@code target} with the hook before it. */
  static <T> T wrap(Class<T> type, T target, Hook hook, World world) {
    return type.cast(
        Proxy.newProxyInstance(
            Hook.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, given) -> {
              Object[] args = given == null ? new Object[0] : given;
              Real real =
                  now -> {
                    try {
                      return method.invoke(target, now);
                    } catch (InvocationTargetException e) {
                      throw e.getCause();
                    }
                  };
              return hook.on(type.getSimpleName() + "." + method.getName(), args, real, world);
            }));
  }
}
