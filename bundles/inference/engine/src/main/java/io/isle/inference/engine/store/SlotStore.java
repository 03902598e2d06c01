package io.isle.inference.engine.store;

import io.isle.api.base.Errno;
import io.isle.api.inference.DecisionSpec;
import io.isle.api.inference.InferenceException;
import io.isle.inference.engine.load.FileBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The folder of slots: {@code NAME/state} says what is, {@code NAME/HASH.islemodel} are files of
 * models. Each file is replaced as a whole. Immutable; one thread at a time for each slot.
 *
 * @param folder of all slots; made when needed
 */
public record SlotStore(Path folder) {
  /** End of the names of files of models. */
  public static final String SUFFIX = ".islemodel";

  private static final String STATE = "state";
  private static final String UNREADABLE = "state.unreadable";
  private static final System.Logger LOG = System.getLogger(SlotStore.class.getName());

  /** Names of the slots that have a state. */
  public List<String> slots() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(folder)) {
      return folders
          .filter(one -> Files.isRegularFile(one.resolve(STATE)))
          .map(one -> one.getFileName().toString())
          .filter(name -> DecisionSpec.NAME.matcher(name).matches())
          .sorted()
          .toList();
    } catch (IOException | UncheckedIOException e) {
      throw failed(folder + " cannot be read", e);
    }
  }

  /** The state of a slot. A state that cannot be understood is set aside, and reported. */
  public StoredSlot read(String slot) {
    Path file = folder.resolve(slot).resolve(STATE);
    try {
      if (!Files.exists(file)) {
        return StoredSlot.EMPTY;
      }
      if (Files.size(file) > SlotText.MOST) {
        throw new IllegalArgumentException("it is larger than " + SlotText.MOST + " bytes");
      }
      return SlotText.parse(slot, Files.readString(file));
    } catch (IOException e) {
      throw failed(file + " cannot be read", e);
    } catch (IllegalArgumentException e) {
      LOG.log(
          System.Logger.Level.ERROR,
          "{0} is not understood and is kept as {1}; the slot {2} begins without models: {3}",
          file,
          UNREADABLE,
          slot,
          e.getMessage());
      setAside(file);
      return StoredSlot.EMPTY;
    }
  }

  private static void setAside(Path file) {
    try {
      Files.move(file, file.resolveSibling(UNREADABLE), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw failed(file + " cannot be renamed", e);
    }
  }

  /** Writes the state of a slot, then deletes files of models that it has no use for. */
  public void write(String slot, StoredSlot state) {
    replace(
        folder.resolve(slot).resolve(STATE), SlotText.of(state).getBytes(StandardCharsets.UTF_8));
    Set<String> needed =
        state.hashes().stream().map(hash -> hash + SUFFIX).collect(Collectors.toSet());
    try (Stream<Path> files = Files.list(folder.resolve(slot))) {
      for (Path file :
          files
              .filter(one -> one.toString().endsWith(SUFFIX))
              .filter(one -> !needed.contains(one.getFileName().toString()))
              .toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      throw failed(folder.resolve(slot) + " cannot be tidied up", e);
    }
  }

  /** Keeps the file of a model; before a state names it. */
  public void keep(String slot, String sha256, byte[] file) {
    Path path = model(slot, sha256);
    if (!Files.exists(path)) {
      replace(path, file);
    }
  }

  /** The kept file of a model; empty if somebody has deleted it. */
  public Optional<byte[]> model(String slot, StoredModel model, int most) {
    Path path = model(slot, model.sha256());
    return Files.exists(path) ? Optional.of(FileBytes.read(path, most)) : Optional.empty();
  }

  private Path model(String slot, String sha256) {
    return folder.resolve(slot).resolve(sha256 + SUFFIX);
  }

  private static void replace(Path path, byte[] bytes) {
    try {
      Files.createDirectories(path.getParent());
      Path beside = Files.createTempFile(path.getParent(), ".", ".new");
      try {
        try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
          ByteBuffer rest = ByteBuffer.wrap(bytes);
          while (rest.hasRemaining()) {
            channel.write(rest);
          }
          channel.force(true);
        }
        Files.move(
            beside, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(beside);
      }
    } catch (IOException e) {
      throw failed(path + " cannot be written", e);
    }
  }

  private static InferenceException failed(String what, Exception e) {
    return new InferenceException(Errno.EIO, what + ": " + e.getMessage(), e);
  }
}
