package io.isle.itests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of {@code ./isle test}: the functions of scripts/reports.sh. */
class ReportsTest {
  private static final Path SCRIPTS = Path.of("../scripts").toAbsolutePath().normalize();

  /** The head leaves two tests out, as it does for a class with tests of two engines. */
  private static final String MIXED =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuite name="a.MixedTest" time="2.5" tests="1" errors="0" skipped="0" failures="0">
        <testcase name="works" classname="a.MixedTest" time="0.1"/>
        <testcase name="breaks(int)[1]" classname="a.MixedTest" time="0.2">
          <failure message="expected: &lt;1&gt; but was: &lt;2&gt;" type="E"><![CDATA[E: expected
      <testcase name="inText" classname="a.MixedTest" time="0.2">
      <failure message="in a text" type="E">
      ]]></failure>
          <system-out><![CDATA[one ]]><![CDATA[>
        <testcase name="printed" classname="a.MixedTest" time="0.1"/>
      ]]></system-out>
        </testcase>
        <testcase name="waits" classname="a.MixedTest" time="0">
          <skipped type="org.opentest4j.X"><![CDATA[org.opentest4j.X: no such program
      	at a.MixedTest.waits]]></skipped>
        </testcase>
      </testsuite>
      """;

  private static final String WHOLE =
      """
      <testsuite name="b.WholeTest" time="1,003.5" tests="1" errors="1" skipped="0" failures="0">
        <testcase name="" classname="b.WholeTest" time="0.0">
          <error message="no &quot;container&quot;" type="E"/>
        </testcase>
      </testsuite>
      """;

  @TempDir Path folder;

  @BeforeEach
  void reports() throws Exception {
    Path before = Files.createFile(folder.resolve("before"));
    Files.setLastModifiedTime(before, FileTime.fromMillis(0));
    report("x/target/surefire-reports/TEST-a.MixedTest.xml", MIXED);
    report("y/target/failsafe-reports/TEST-b.WholeTest.xml", WHOLE);
    report(".isle/target/surefire-reports/TEST-a.MixedTest.xml", MIXED);
    Files.writeString(folder.resolve("native"), "3 passed, 0 failed\nc is skipped: no device\n");
  }

  private void report(String file, String text) throws Exception {
    Path report = folder.resolve(file);
    Files.createDirectories(report.getParent());
    Files.writeString(report, text);
  }

  private String shell(String script, int code) throws Exception {
    String reported = ". \"$SCRIPTS/reports.sh\"; reported before | sort >cases; ";
    ProcessBuilder builder = new ProcessBuilder("sh", "-u", "-c", reported + script);
    builder.environment().put("ISLE_ROOT", folder.toString());
    builder.environment().put("SCRIPTS", SCRIPTS.toString());
    Process process = builder.directory(folder.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(code, process.waitFor(), said);
    return said;
  }

  @Test
  void everyTestIsCountedWhateverTheHeadSays() throws Exception {
    assertEquals(
        "3 passed, 0 failed\n4 passed, 2 failed, 1 skipped\n",
        shell("ran=1; sum_up cases native 0", 1));
    assertEquals(
        "3 passed, 0 failed\n4 passed, 1 failed, 0 skipped\n",
        shell("ran=1; grep passed cases >good; sum_up good native 1", 1));
    assertEquals(
        "3 passed, 0 failed\n4 passed, 0 failed, 0 skipped\n",
        shell("ran=1; grep passed cases >good; sum_up good native 0", 0));
    assertEquals(
        "0 passed, 0 failed, 0 skipped\n", shell("ran=1; sum_up /dev/null /dev/null 0", 1));
  }

  @Test
  void failedAndSkippedTestsAreNamedWithTheReason() throws Exception {
    assertEquals(
        """
        a.MixedTest.breaks(int)[1] failed: expected: <1> but was: <2>
        b.WholeTest. failed: no "container"
        """,
        shell("tell_failed cases", 0));
    assertEquals(
        """
        c is skipped: no device
        a.MixedTest.waits is skipped: no such program
        """,
        shell("tell_skipped cases native", 0));
  }

  @Test
  void theSlowestClassesAreTold() throws Exception {
    assertEquals(
        """
        slow:   1003.5 s  b.WholeTest
        slow:      2.5 s  a.MixedTest
        """,
        shell("tell_slowest before", 0));
  }
}
