package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script that checks public handlers, {@code scripts/spin-public}, on a checkout made of the
 * handlers of this tree.
 */
@ExtendWith(Platform.class)
class SpinPublicIT {
  private static final Map<String, String> SOURCES =
      Map.of(
          "icmp_ping.c", "spin/handlers/icmp_ping.c",
          "slmp.c", "test/handlers/message.c",
          "histogram_l1.c", "test/handlers/histogram.c",
          "reduce_l1.c", "test/handlers/reduce.c",
          "filtering.c", "test/handlers/reduce.c");

  @TempDir Path folder;

  @BeforeAll
  static void able() throws Exception {
    HandlerDevice.add();
    HandlerDevice.remove();
  }

  private static Platform.Result check(Object... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Platform.root().resolve("scripts/spin-public").toString());
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return Call.begin(Platform.STATE.getParent(), Map.of(), command).end();
  }

  /** Handlers that do not choose their functions themselves are completed. */
  private static String chosen(String source) {
    if (source.contains("init_handlers")) {
      return source;
    }
    String name = source.replaceFirst("(?s).*?void (\\w+_ph)\\(.*", "$1");
    return source
        + "void init_handlers(handler_fn *h, handler_fn *p, handler_fn *t, void **m)\n"
        + "{ (void)m; *h = NULL; *p = "
        + name
        + "; *t = NULL; }\n";
  }

  private void write(Path checkout, String file, String source) throws IOException {
    Path handlers = checkout.resolve("examples/" + file.replace(".c", "") + "/handlers");
    Files.writeString(Files.createDirectories(handlers).resolve(file), source);
  }

  @Test
  void theFirstDifferenceIsShown() throws Exception {
    Path checkout = folder.resolve("a checkout");
    Path shims = Platform.root().resolve("native-shims");
    for (Map.Entry<String, String> source : SOURCES.entrySet()) {
      write(checkout, source.getKey(), chosen(Files.readString(shims.resolve(source.getValue()))));
    }
    // for the HPUs it is another program than for this processor
    write(
        checkout,
        "udp_ping.c",
        """
        #include <handler.h>
        #include <packets.h>
        static void udp_ping_ph(handler_args_t *args)
        {
            pkt_hdr_t *hdrs = args->task->pkt_mem;
            if (sizeof(long) == 4 && args->task->pkt_mem_size > 1200)
                hdrs->ip_hdr.ttl++;
            spin_send_packet(hdrs, args->task->pkt_mem_size, NULL);
        }
        void init_handlers(handler_fn *h, handler_fn *p, handler_fn *t, void **m)
        {
            (void)m;
            *h = *t = NULL;
            *p = udp_ping_ph;
        }
        """);
    Platform.Result result =
        check("--instance", Platform.INSTANCE, "--captures", 1, "--offline", checkout).failed(1);
    String out = result.out();
    assertTrue(out.contains("all examples (a checkout): ok, 6 sources build"), result::toString);
    for (String same : List.of("icmp", "slmp", "histogram", "reduce", "filtering")) {
      assertTrue(out.contains(same + " (a checkout): ok, "), result::toString);
    }
    for (String other : List.of("udp", "udp with the host")) {
      String line = other + " (a checkout): capture 1: run/sent called/sent differ: ";
      assertTrue(out.contains(line), result::toString);
    }
    assertTrue(out.matches("(?s).*slmp .*: ok, \\d+ packets of 1 captures, [1-9]\\d* frames.*"));
    assertFalse(Files.exists(Devices.settings("spin9")));
  }

  @Test
  void whatIsMissingIsNamed() throws Exception {
    write(folder, "slmp.c", "");
    String err = check(folder).failed(1).err();
    assertTrue(err.contains(" has no handlers/icmp_ping.c handlers/udp_ping.c handlers/hist"), err);
    assertTrue(err.contains(" slmp/sender/sender.c lib/fpspin/slmp.c; "), err);
    assertTrue(err.contains("github.com/spcl/FPsPIN"), err);
    String nowhere = check(folder.resolve("nowhere")).failed(1).err();
    assertTrue(nowhere.contains("there is no folder " + folder.resolve("nowhere")), nowhere);
    assertTrue(check("--help").succeeded().out().startsWith("usage: scripts/spin-public "));
    assertEquals("", check().failed(2).out());
    assertTrue(check("--captures", "0", folder).failed(2).err().contains("a number from 1"));
    assertTrue(check("--slow", folder).failed(2).err().contains("unknown option '--slow'"));
  }
}
