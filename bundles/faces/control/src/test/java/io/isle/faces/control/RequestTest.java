package io.isle.faces.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTest {
  @Test
  void aLineWithItsSurroundings() throws Exception {
    Request request =
        Request.parse("cwd=/home/me\0role=viewer\0columns=120\0tty=1\0verbose=1\0line=a=b; c\0");
    assertEquals("/home/me", request.cwd());
    assertEquals(Role.VIEWER, request.role());
    assertEquals(120, request.columns());
    assertTrue(request.tty());
    assertTrue(request.verbose());
    assertEquals(CommandLine.of("a=b; c"), request.command());
  }

  @Test
  void wordsAreACommandAndItsArguments() throws Exception {
    Request request = Request.parse("cwd=/\0word=job:run\0word=my file\0word=\0");
    assertEquals(new CommandLine("job:run", List.of("my file", "")), request.command());
    assertEquals(Role.ADMIN, request.role());
    assertFalse(request.tty());
    assertEquals(80, request.columns());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "line=x\0",
        "cwd=relative\0line=x\0",
        "cwd=/\0",
        "cwd=/\0line= \0",
        "cwd=/\0line=x\0word=y\0",
        "cwd=/\0line=x\0role=root\0",
        "cwd=/\0line=x\0columns=wide\0",
        "cwd=/\0line=x\0other=1\0",
        "cwd=/\0line\0",
        "\0\0",
        ""
      })
  void whatIsNoRequestIsRefused(String text) {
    assertThrows(RequestException.class, () -> Request.parse(text));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Request.MAX_BYTES + 1, Integer.MAX_VALUE})
  void lengthsOutOfRangeAreRefusedBeforeAnyMemoryIsTaken(int length) {
    byte[] head = ByteBuffer.allocate(4).putInt(length).array();
    assertThrows(RequestException.class, () -> Request.read(input(head)));
  }

  @Test
  void aRequestThatEndsEarlyIsAnEnd() {
    byte[] bytes = ByteBuffer.allocate(6).putInt(10).array();
    assertThrows(EOFException.class, () -> Request.read(input(bytes)));
  }

  @Property
  void anyBytesAreARequestOrRefused(@ForAll byte[] bytes) {
    try {
      Request.read(input(bytes));
    } catch (IOException expected) {
      // refused: nothing else may come out
    }
  }

  private static DataInputStream input(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }
}
