package io.isle.core.accel.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ShareWindowTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final ShareWindow window = new ShareWindow(5 * SECOND, 100);

  @Test
  void looksThatFollowCloselyDoNotShortenTheWindow() {
    assertEquals(new ShareWindow.Share(0, 0), window.look(5 * SECOND, 100));
    assertEquals(new ShareWindow.Share(50, SECOND / 2), half(SECOND / 2));
    assertEquals(new ShareWindow.Share(50, SECOND), half(SECOND));
    assertEquals(new ShareWindow.Share(50, SECOND + 10), half(SECOND + 10));
    // from the look after one second, for the one after two seconds has become the next start
    assertEquals(new ShareWindow.Share(50, SECOND), half(2 * SECOND));
    assertEquals(new ShareWindow.Share(0, 2 * SECOND), window.look(9 * SECOND, 100 + SECOND));
  }

  /** With half of the device until {@code after}. */
  private ShareWindow.Share half(long after) {
    return window.look(5 * SECOND + after, 100 + after / 2);
  }

  @Test
  void neitherTimeNorCountersGoBack() {
    assertEquals(new ShareWindow.Share(0, 0), window.look(4 * SECOND, 100));
    assertEquals(0, window.look(6 * SECOND, 50).percent());
  }
}
