package io.isle.spin.nic.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.SpinException;
import io.isle.lib.signing.TrustedKeys;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HandlerJudgeTest {
  private static final List<HandlerImage> IMAGES =
      List.of(new HandlerImage("ping", new byte[] {1}, Optional.empty()));

  private final HandlerRegistry registry = new HandlerRegistry();
  private final List<String> heard = new ArrayList<>();
  private boolean required;

  private final HandlerListener listener =
      new HandlerListener() {
        @Override
        public void came(String name) {
          heard.add(name);
        }

        @Override
        public void refused(String bundle, List<HandlerImage> images, int code, String why) {
          assertEquals(IMAGES, images);
          assertEquals(Errno.EACCES, code);
          assertTrue(why.startsWith("signature: "), why);
          heard.add("not " + bundle);
        }
      };

  private final HandlerJudge judge =
      new HandlerJudge(
          registry,
          new HandlerAdmission(() -> required, new TrustedKeys(Path.of("none")), Clock.systemUTC()),
          listener);

  private static BroughtHandlers brought(long id) {
    return new BroughtHandlers(id, "b", "1.0.0", "a.spin; name=ping", IMAGES, Optional.empty());
  }

  private int code() {
    return assertThrows(SpinException.class, () -> registry.require("ping")).code();
  }

  @Test
  void otherRulesCountForBundlesThatAreThere() {
    judge.add(brought(1));
    judge.again();
    assertEquals(List.of("ping"), heard);
    required = true;
    judge.again();
    judge.again();
    assertEquals(List.of("ping", "not b 1.0.0"), heard);
    assertTrue(registry.list().isEmpty());
    assertEquals(Errno.EACCES, code());
    required = false;
    judge.again();
    assertEquals(List.of("ping", "not b 1.0.0", "ping"), heard);
    assertEquals(IMAGES.getFirst(), registry.require("ping"));
  }

  @Test
  void aBundleThatIsGoneDoesNotComeBack() {
    required = true;
    judge.add(brought(1));
    assertEquals(Errno.EACCES, code());
    judge.remove(1);
    assertEquals(Errno.ENOENT, code());
    required = false;
    judge.again();
    assertEquals(List.of("not b 1.0.0"), heard);
    assertEquals(Errno.ENOENT, code());
  }

  @Test
  void anotherBundleKeepsTheName() {
    judge.add(brought(1));
    judge.add(brought(2));
    judge.remove(2);
    assertEquals(IMAGES.getFirst(), registry.require("ping"));
    judge.remove(1);
    assertEquals(Errno.ENOENT, code());
  }
}
