package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Labs and settings of interfaces in a booted platform. */
@ExtendWith(Platform.class)
class NetLabIT {
  private static final String LAB = "itlab";

  private JsonNode sides;

  @BeforeEach
  void create() throws Exception {
    Platform.Result made = Platform.sh("net:lab create " + LAB + " --queues 2", "--json");
    assumeTrue(
        made.code() == 0 || !made.err().contains("needs root"), () -> "not here: " + made.err());
    sides = made.succeeded().json();
  }

  @AfterEach
  void delete() throws Exception {
    for (JsonNode side : Platform.sh("net:lab list", "--json").succeeded().json()) {
      if (side.get("lab").asText().equals(LAB) && side.get("side").asText().equals("a")) {
        Platform.sh("net:lab delete " + LAB).succeeded();
      }
    }
  }

  private static long recorded(String action) throws Exception {
    long count = 0;
    for (JsonNode record : Platform.sh("audit:tail -n 50", "--json").succeeded().json()) {
      count += record.get("action").asText().equals(action) ? 1 : 0;
    }
    return count;
  }

  @Test
  void theSidesOfALabAreNamespacesOfTheirOwn() throws Exception {
    assertEquals("va", sides.get(0).get("interface").asText());
    assertEquals("198.18.0.2", sides.get(1).get("address").asText());
    Path own = Files.readSymbolicLink(Path.of("/proc/self/ns/net"));
    Path a = Files.readSymbolicLink(Path.of(sides.get(0).get("netns").asText()));
    Path b = Files.readSymbolicLink(Path.of(sides.get(1).get("netns").asText()));
    assertTrue(a.toString().startsWith("net:"), a::toString);
    assertTrue(!a.equals(b) && !a.equals(own) && !b.equals(own));
    Platform.Result refused = Platform.sh("net:lab delete " + LAB, "--as", "viewer").failed(1);
    assertTrue(refused.err().contains("the role admin is needed"), refused.err());
    assertEquals(sides, Platform.sh("net:lab list", "--json", "--as", "viewer").succeeded().json());
    Platform.sh("net:lab delete " + LAB).succeeded();
    assertTrue(recorded("net.create-lab") >= 1 && recorded("net.delete-lab") >= 1);
  }

  @Test
  void anInterfaceIsConfiguredAndPutBack() throws Exception {
    String target = " --interface va --netns lab:" + LAB;
    JsonNode before =
        Platform.sh("net:configure check --tiles 1" + target, "--json").failed(1).json();
    JsonNode set = Platform.sh("net:configure init" + target, "--json").succeeded().json();
    assertEquals(before.size(), set.size());
    Platform.sh("net:configure check" + target, "--as", "viewer").succeeded();
    Platform.sh("net:configure fini" + target, "--as", "manager").failed(1);
    JsonNode back = Platform.sh("net:configure fini" + target, "--json").succeeded().json();
    assertTrue(back.size() > 0 && back.size() <= set.size());
    assertEquals(before, Platform.sh("net:configure check" + target, "--json").failed(1).json());
    assertTrue(recorded("net.init") >= 1 && recorded("net.fini") >= 1);
  }
}
