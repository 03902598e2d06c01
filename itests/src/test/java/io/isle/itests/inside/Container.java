package io.isle.itests.inside;

import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.CoreOptions.systemProperty;
import static org.ops4j.pax.exam.CoreOptions.vmOptions;
import static org.ops4j.pax.exam.karaf.options.KarafDistributionOption.configureConsole;
import static org.ops4j.pax.exam.karaf.options.KarafDistributionOption.editConfigurationFilePut;
import static org.ops4j.pax.exam.karaf.options.KarafDistributionOption.karafDistributionConfiguration;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.ops4j.pax.exam.CoreOptions;
import org.ops4j.pax.exam.Option;

/** The distribution as a container, whose simulated device has a compiler. */
final class Container {
  private Container() {}

  private static Option[] appended() {
    return Stream.of(System.getenv().getOrDefault("ISLE_JAVA_OPTS", "").split(" ", -1))
        .filter(option -> !option.isEmpty())
        .map(CoreOptions::vmOption)
        .toArray(Option[]::new);
  }

  static Option[] options() {
    String karaf = System.getProperty("isle.karaf");
    String endorsed = "lib/endorsed/org.apache.karaf.specs.";
    return CoreOptions.options(
        karafDistributionConfiguration()
            .frameworkUrl(Path.of(System.getProperty("isle.archive")).toUri().toString())
            .karafVersion(karaf)
            .name("Isle")
            .unpackDirectory(Path.of(System.getProperty("isle.target"), "exam").toFile())
            .useDeployFolder(false)
            .runEmbedded(false),
        // As bin/setenv and the launcher have them; the container starts in the installation.
        vmOptions(
            "@lib/isle/jvm.options",
            "@lib/isle/karaf.options",
            "-javaagent:lib/isle/isle-karaf-agent-" + System.getProperty("isle.version") + ".jar",
            "--patch-module=java.base=" + endorsed + "locator-" + karaf + ".jar",
            "--patch-module=java.xml=" + endorsed + "java.xml-" + karaf + ".jar"),
        // What the launcher appends, too.
        composite(appended()),
        systemProperty("pax.exam.osgi.unresolved.fail").value("true"),
        systemProperty("isle.control.socket").value("control.sock"),
        systemProperty(WithHandlers.FOLDER)
            .value(Path.of(System.getProperty("isle.target"), "handlers").toString()),
        configureConsole().ignoreLocalConsole().ignoreRemoteShell(),
        // Only for Pax Exam's own bundles: they are in the repository that the build uses.
        editConfigurationFilePut(
            "etc/org.ops4j.pax.url.mvn.cfg",
            "org.ops4j.pax.url.mvn.localRepository",
            System.getProperty("isle.repository")),
        // Pax Exam unpacks the archive without the modes of files, so its programs cannot run.
        editConfigurationFilePut(
            "etc/io.isle.drivers.cfg",
            "native_dir",
            Path.of(System.getProperty("isle.dist"), "lib/isle/bin").toString()),
        editConfigurationFilePut("etc/io.isle.device-sim0.cfg", "driver", "sim"),
        editConfigurationFilePut("etc/io.isle.device-sim0.cfg", "compiler", "true"));
  }
}
