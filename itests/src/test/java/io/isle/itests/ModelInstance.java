package io.isle.itests;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An instance that trusts a key of these tests, and models of {@code submission_time}. */
final class ModelInstance {
  private static final String DECISION =
      """
      {
        "decision": {
          "name": "submission_time",
          "features": [
            {"name": "program", "unit": "hash", "min": 0, "max": 65535},
            {"name": "device_class", "unit": "number", "min": 0, "max": 255},
            {"name": "units", "unit": "count", "min": 0, "max": 65536},
            {"name": "operations", "unit": "count", "min": 0, "max": 65535},
            {"name": "in_flight", "unit": "count", "min": 0, "max": 65535},
            {"name": "bytes", "unit": "log2_B/16", "min": 0, "max": 1008},
            {"name": "items", "unit": "log2/16", "min": 0, "max": 1008},
            {"name": "scalars", "unit": "log2/16", "min": 0, "max": 1008},
            {"name": "copied", "unit": "log2_B/16", "min": 0, "max": 1008},
            {"name": "last_time", "unit": "log2_ns/16", "min": 0, "max": 640},
            {"name": "mean_time", "unit": "log2_ns/16", "min": 0, "max": 640},
            {"name": "same_time", "unit": "log2_ns/16", "min": 0, "max": 640}
          ],
          "outputs": [{"name": "time", "unit": "log2_ns/16", "min": 0, "max": 640, "outside": "clamp"}]
        },
        "serial": %d,
        "trained_at": "2026-01-31T12:00:00Z",
        "model": {
          "type": "linear",
          "outputs": [{"bias": %d, "shift": 0, "weights": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, %d]}]
        }
      }
      """;

  private final String name;
  private final Path files;
  private final Path key;

  /**
   * @param files folder for files of the test
   */
  ModelInstance(String name, Path files) {
    this.name = name;
    this.files = files;
    key = files.resolve("author");
  }

  /** Starts it without anything of before, and trusts the key. */
  void begin() throws IOException {
    Sdk.delete(folder());
    isle("start").succeeded();
    share();
  }

  /** Trusts the key in an instance that runs. */
  void share() throws IOException {
    mltool("keygen", key.toString());
    trust();
  }

  /** Takes out what {@link #share} and tests have brought. */
  void leave() throws IOException {
    if (!info().get("model.bin").isNull()) {
      sh("model:unload submission_time").succeeded();
    }
    distrust();
  }

  void trust() throws IOException {
    Path trusted = trusted();
    Files.createDirectories(trusted.getParent());
    Files.copy(Path.of(key + ".pub"), trusted);
  }

  void distrust() throws IOException {
    Files.delete(trusted());
  }

  private Path trusted() {
    return folder().resolve("etc/model-keys/author.pub");
  }

  /** A key that counts only where a job names it, with one model. */
  void foreign(Path foreignKey, Path model) {
    mltool("keygen", foreignKey.toString());
    mltool("sign", model.toString(), foreignKey + ".key");
  }

  /** A signed model that always gives the same answer. */
  Path constant(int serial, int answer) throws IOException {
    return model(serial, answer, 0);
  }

  /** A signed model that says what the last submission of the same kind took. */
  Path same(int serial) throws IOException {
    return model(serial, 0, 1);
  }

  /** The same model, trained with submissions of about a MiB only. */
  Path sameOfMebibytes(int serial) throws IOException {
    String bytes = "\"name\": \"bytes\",";
    String trained = "\"trained\": {\"min\": 300, \"max\": 345, \"mean\": 320, \"stddev\": 10},";
    return model(serial, DECISION.replace(bytes, bytes + trained).formatted(serial, 0, 1));
  }

  private Path model(int serial, int bias, int weight) throws IOException {
    return model(serial, DECISION.formatted(serial, bias, weight));
  }

  private Path model(int serial, String description) throws IOException {
    Path text = Files.writeString(files.resolve(serial + ".json"), description);
    Path model = files.resolve(serial + ".islemodel");
    mltool("build", text.toString(), "--out", model.toString());
    mltool("sign", model.toString(), key + ".key");
    return model;
  }

  /** Serial number of the model that serves; -1 without one. */
  long serial() throws IOException {
    JsonNode model = info().get("model.bin");
    return model.isNull() ? -1 : model.get("serial").asLong();
  }

  /** Why the rule decides; empty while the model does. */
  String reason() throws IOException {
    return info().get("fallback_reason").asText();
  }

  /** Loads a model as soon as its key is trusted. */
  void load(Path model) throws InterruptedException {
    Awaiting.await(
        model + " is loaded", () -> sh("model:load '" + model + "'").succeeded().code() == 0);
  }

  /** Sets a key of a settings file. */
  void set(String pid, String setting, String value) throws IOException {
    Path file = folder().resolve("etc/" + pid + ".cfg");
    String line = setting + " = " + value;
    String text = Files.readString(file).replaceFirst("(?m)^" + setting + " *=.*$", line);
    if (!text.contains(line + "\n")) {
      throw new AssertionError(file + " has no " + setting);
    }
    Path beside = Files.writeString(folder().resolve("cfg.part"), text);
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The models that audit records of this action are about. */
  List<String> audited(String action) throws IOException {
    return sh("audit:tail -n 100 --action " + action, "--json")
        .succeeded()
        .json()
        .findValuesAsText("object");
  }

  JsonNode info() throws IOException {
    return sh("model:info submission_time", "--json").succeeded().json();
  }

  Path folder() {
    return Platform.STATE.resolve("instances").resolve(name);
  }

  Platform.Result sh(String line, String... options) {
    List<String> all = new ArrayList<>(List.of("sh", line));
    all.addAll(List.of(options));
    return isle(all.toArray(String[]::new));
  }

  Platform.Result isle(String... arguments) {
    return begin(arguments).end();
  }

  /** The same, without waiting for its end. */
  Call begin(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--instance", name));
    return Call.isle(Map.of(), all);
  }

  private static void mltool(String... arguments) {
    List<String> all = new ArrayList<>(List.of("mltool"));
    all.addAll(List.of(arguments));
    Platform.Result ignored = Call.isle(Map.of(), all).end().succeeded();
  }
}
