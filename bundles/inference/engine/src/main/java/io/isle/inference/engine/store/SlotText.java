package io.isle.inference.engine.store;

import io.isle.inference.engine.fallback.SavedFallback;
import io.isle.lib.model.SerialMark;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The text form of {@link StoredSlot}: a line a fact. Pure functions. */
final class SlotText {
  /** Longest text, in characters. */
  static final int MOST = 1 << 20;

  private static final String KIND = "isle-model-slot 1";
  private static final String SIGNED = "signed";
  private static final String UNSIGNED = "unsigned";

  private SlotText() {}

  static String of(StoredSlot slot) {
    StringBuilder text = new StringBuilder(KIND).append('\n');
    model(text, "serving", slot.serving());
    model(text, "shadow", slot.shadow());
    model(text, "previous", slot.previous());
    slot.newest()
        .ifPresent(
            mark ->
                text.append("newest ")
                    .append(mark.serial())
                    .append(' ')
                    .append(mark.sha256())
                    .append('\n'));
    new TreeMap<>(slot.deployed())
        .forEach(
            (file, hash) ->
                text.append("deployed ").append(hash).append(' ').append(file).append('\n'));
    slot.job().ifPresent(job -> text.append("job ").append(text(job)).append('\n'));
    for (SavedFallback one : slot.decisions()) {
      text.append("fallback ").append(FallbackText.of(one)).append('\n');
    }
    return text.toString();
  }

  private static String text(StoredJob job) {
    return "%s %s %d %s"
        .formatted(
            job.sha256(),
            job.platform(),
            job.owner(),
            Base64.getEncoder().encodeToString(job.key().getBytes(StandardCharsets.UTF_8)));
  }

  private static StoredJob job(String[] words) {
    String[] more = words[2].split(" ", 3);
    return new StoredJob(
        words[1],
        more[0],
        Integer.parseInt(more[1]),
        new String(Base64.getDecoder().decode(more[2]), StandardCharsets.UTF_8));
  }

  private static void model(StringBuilder text, String role, Optional<StoredModel> model) {
    model.ifPresent(
        kept ->
            text.append(role)
                .append(' ')
                .append(kept.sha256())
                .append(' ')
                .append(kept.unsigned() ? UNSIGNED : SIGNED)
                .append('\n'));
  }

  /**
   * Reads a text.
   *
   * @param decision name of the slot
   * @throws IllegalArgumentException naming the line that is wrong
   */
  static StoredSlot parse(String decision, String text) {
    List<String> lines = text.lines().toList();
    if (lines.isEmpty() || !lines.getFirst().equals(KIND)) {
      throw new IllegalArgumentException("line 1 is not '" + KIND + "'");
    }
    Map<String, StoredModel> models = new TreeMap<>();
    Map<String, String> deployed = new TreeMap<>();
    List<SavedFallback> decisions = new ArrayList<>();
    Optional<SerialMark> newest = Optional.empty();
    Optional<StoredJob> job = Optional.empty();
    for (int i = 1; i < lines.size(); i++) {
      String[] words = lines.get(i).split(" ", 3);
      try {
        switch (words[0]) {
          case "serving", "shadow", "previous" -> models.put(words[0], model(words));
          case "newest" -> newest = Optional.of(new SerialMark(Long.parseLong(words[1]), words[2]));
          case "deployed" -> deployed.put(words[2], words[1]);
          case "job" -> job = Optional.of(job(words));
          case "fallback" ->
              decisions.add(
                  FallbackText.parse(decision, lines.get(i).substring(words[0].length() + 1)));
          default -> throw new IllegalArgumentException("'" + words[0] + "' is no fact of a slot");
        }
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        throw new IllegalArgumentException("line " + (i + 1) + ": " + e.getMessage(), e);
      }
    }
    return new StoredSlot(
        Optional.ofNullable(models.get("serving")),
        Optional.ofNullable(models.get("shadow")),
        Optional.ofNullable(models.get("previous")),
        newest,
        deployed,
        decisions,
        job);
  }

  private static StoredModel model(String[] words) {
    boolean unsigned = words[2].equals(UNSIGNED);
    if (!unsigned && !words[2].equals(SIGNED)) {
      throw new IllegalArgumentException("'" + words[2] + "' is not signed or unsigned");
    }
    return new StoredModel(words[1], unsigned);
  }
}
