package io.isle.faces.shell.accel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal goes to a file that is whole or not there. */
class JournalCommandTest {
  private static final byte[] CONTENT = {1, 2, 3};

  @TempDir private Path folder;
  private long missed;
  private final FakeServices services = new FakeServices().add(AccelAdmin.class, admin());

  private AccelAdmin admin() {
    return (AccelAdmin)
        Proxy.newProxyInstance(
            AccelAdmin.class.getClassLoader(),
            new Class<?>[] {AccelAdmin.class},
            (proxy, method, args) -> {
              if (!method.getName().equals("journal")) {
                throw new AssertionError(method.getName());
              }
              return journal((String) args[0], (Duration) args[1], (OutputStream) args[2]);
            });
  }

  private AccelAdmin.JournalInfo journal(String device, Duration time, OutputStream out)
      throws IOException {
    out.write(CONTENT);
    if (!device.equals("soft0")) {
      throw new AccelException(Errno.ENODEV, device + " is not open");
    }
    return new AccelAdmin.JournalInfo(device, time.toSeconds(), missed, CONTENT.length);
  }

  @Test
  void bothForms() throws IOException {
    Path file = folder.resolve("j");
    assertEquals(
        file + " has 7 records in 3 bytes\n",
        services.run(new JournalCommand().of("soft0", 7, file.toString()), false));
    assertArrayEquals(CONTENT, Files.readAllBytes(file));
    missed = 5;
    assertEquals(
        "{\"device\":\"soft0\",\"file\":\"" + file + "\",\"records\":7,\"missed\":5,\"bytes\":3}\n",
        services.run(new JournalCommand().of("soft0", 7, file.toString()), true));
    String text = services.run(new JournalCommand().of("soft0", 7, file.toString()), false);
    assertTrue(text.contains("5 records at least are missing"), text);
  }

  @Test
  void nothingIsLeftOfOneThatFails() throws IOException {
    Path file = folder.resolve("j");
    AccelException e =
        assertThrows(
            AccelException.class,
            () -> services.run(new JournalCommand().of("soft7", 1, file.toString()), false));
    assertEquals(Errno.ENODEV, e.code());
    try (var files = Files.list(folder)) {
      assertEquals(0, files.count());
    }
    for (int seconds : new int[] {0, -1, 3601}) {
      ShellException usage =
          assertThrows(
              ShellException.class,
              () ->
                  services.run(new JournalCommand().of("soft0", seconds, file.toString()), false));
      assertTrue(usage.getMessage().contains("1 to 3600"), usage::getMessage);
    }
    ShellException directory =
        assertThrows(
            ShellException.class,
            () -> services.run(new JournalCommand().of("soft0", 1, folder.toString()), false));
    assertTrue(directory.getMessage().contains("is a directory"), directory::getMessage);
    ShellException nowhere =
        assertThrows(
            ShellException.class,
            () ->
                services.run(
                    new JournalCommand().of("soft0", 1, folder.resolve("no/j").toString()), false));
    assertTrue(nowhere.getMessage().contains("cannot be written"), nowhere::getMessage);
  }
}
