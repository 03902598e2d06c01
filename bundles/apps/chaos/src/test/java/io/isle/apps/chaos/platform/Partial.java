package io.isle.apps.chaos.platform;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** An interface of many methods, of which a fake has only those that are called. */
public final class Partial {
  private Partial() {}

  /** Calls go to the methods of {@code fake} that have the same name and parameters. */
  public static <T> T of(Class<T> type, Object fake) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call(proxy, fake, method, arguments)));
  }

  private static Object call(Object proxy, Object fake, Method method, Object[] arguments)
      throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return switch (method.getName()) {
        case "equals" -> proxy == arguments[0];
        case "hashCode" -> System.identityHashCode(proxy);
        default -> fake.toString();
      };
    }
    try {
      Method own = fake.getClass().getDeclaredMethod(method.getName(), method.getParameterTypes());
      own.setAccessible(true);
      return own.invoke(fake, arguments);
    } catch (NoSuchMethodException e) {
      throw new UnsupportedOperationException(method.toString(), e);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
