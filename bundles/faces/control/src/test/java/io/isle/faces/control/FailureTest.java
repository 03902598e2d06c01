package io.isle.faces.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FailureTest {
  /** As {@code bundle:update NAME file:x.jar} opens it. */
  @Test
  void aRelativePathInALocationSaysRelativeToWhat() {
    Exception e =
        assertThrows(
            FileNotFoundException.class, () -> URI.create("file:x.jar").toURL().openStream());
    String said = Failure.of(e).message();
    assertTrue(said.startsWith("x.jar (No such file or directory): "), said);
    assertTrue(said.contains("the platform's folder, " + Path.of("").toAbsolutePath()), said);
  }

  @Test
  void aPathThatIsNoLocationSaysWhatOneIs() {
    Exception e = assertThrows(IllegalArgumentException.class, () -> URI.create("x.jar").toURL());
    String said = Failure.of(e).message();
    assertTrue(said.contains("such as file:/home/me/x.jar"), said);
  }

  @Test
  void otherMessagesStayAsTheyAre() {
    assertEquals(
        "/x.jar (No such file)",
        Failure.of(new FileNotFoundException("/x.jar (No such file)")).message());
    assertEquals("why", Failure.of(new IllegalArgumentException("why")).message());
  }
}
