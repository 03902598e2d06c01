package io.isle.fabric.ring.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.fabric.RingStage;
import io.isle.fabric.ring.stage.MixStage;
import io.isle.fabric.tcp.TcpTransport;
import io.isle.lib.jvm.BundleWires;
import org.junit.jupiter.api.Test;

/** Which classes a process of its own can make. Copies of bundles need a framework. */
class BundlePartsTest {
  /** A class with a dependency. */
  public static final class Dependent {
    public Dependent(String dependency) {
      assertEquals("", dependency);
    }
  }

  /** A class of its package. */
  static final class Hidden {}

  @Test
  void aClassNeedsANameAndAConstructorWithoutArguments() {
    assertEquals("", BundleWires.refusal(MixStage.class));
    assertEquals("", BundleWires.refusal(TcpTransport.class));
    assertEquals(
        "has no public constructor without arguments", BundleWires.refusal(Dependent.class));
    assertEquals("is not public", BundleWires.refusal(Hidden.class));
    RingStage lambda = bytes -> null;
    assertEquals("has no name of its own", BundleWires.refusal(lambda.getClass()));
    Object anonymous = new Object() {};
    assertEquals("has no name of its own", BundleWires.refusal(anonymous.getClass()));
  }
}
