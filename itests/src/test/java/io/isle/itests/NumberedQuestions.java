package io.isle.itests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A stream of datagrams, each with a number behind its first byte, and the answers to them. */
final class NumberedQuestions implements AutoCloseable {
  private static final int BYTES = 32;
  private static final int NUMBER = 4;
  private static final long PERIOD_MS = 5;

  private final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
  private final Map<Integer, Integer> answers = new ConcurrentHashMap<>();
  private final Thread asking;
  private final Thread reading;
  private volatile boolean over;
  private volatile int sent;

  /** Asks from now on. */
  NumberedQuestions(int port) throws SocketException {
    asking = Thread.ofPlatform().daemon().start(() -> ask(port));
    reading = Thread.ofPlatform().daemon().start(this::read);
  }

  private void ask(int port) {
    try {
      for (int number = 0; !over; number++) {
        byte[] question = ByteBuffer.allocate(BYTES).putInt(NUMBER, number).array();
        answers.put(number, 0);
        socket.send(new DatagramPacket(question, BYTES, InetAddress.getLoopbackAddress(), port));
        sent = number + 1;
        Thread.sleep(PERIOD_MS);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    DatagramPacket answer = new DatagramPacket(new byte[2048], 2048);
    while (true) {
      try {
        socket.receive(answer);
      } catch (IOException e) {
        return;
      }
      answers.merge(ByteBuffer.wrap(answer.getData()).getInt(NUMBER), 1, Integer::sum);
    }
  }

  /** Asks no more, and waits for the answers: numbers with their count where it is not 1. */
  List<String> answeredOtherThanOnce() throws InterruptedException {
    over = true;
    asking.join();
    Awaiting.await("all answers", () -> !answers.containsValue(0));
    List<String> wrong = new ArrayList<>();
    answers.forEach(
        (number, count) -> {
          if (count != 1 || number >= sent) {
            wrong.add(number + ": " + count);
          }
        });
    return wrong;
  }

  @Override
  public void close() {
    over = true;
    socket.close();
    try {
      reading.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
