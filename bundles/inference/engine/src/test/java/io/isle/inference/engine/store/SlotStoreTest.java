package io.isle.inference.engine.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.inference.FallbackReason;
import io.isle.api.inference.FallbackReason.CycleBudgetExceeded;
import io.isle.api.inference.FallbackReason.DeviceError;
import io.isle.api.inference.FallbackReason.Drift;
import io.isle.api.inference.FallbackReason.HwTimeout;
import io.isle.api.inference.FallbackReason.InputDistributionAnomaly;
import io.isle.api.inference.FallbackReason.ModelDisabled;
import io.isle.api.inference.FallbackReason.OutputValidationFailed;
import io.isle.api.inference.FallbackReason.SignatureFailed;
import io.isle.api.inference.InferenceException;
import io.isle.inference.engine.fallback.FallbackScope;
import io.isle.inference.engine.fallback.FallbackStep;
import io.isle.inference.engine.fallback.SavedFallback;
import io.isle.lib.model.SerialMark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotStoreTest {
  private static final String ONE = "1".repeat(64);
  private static final String TWO = "2".repeat(64);

  @TempDir private Path folder;

  private static StoredSlot full() {
    List<FallbackReason> reasons =
        List.of(
            new ModelDisabled(),
            new CycleBudgetExceeded(),
            new OutputValidationFailed(),
            new SignatureFailed(),
            new HwTimeout("npu0", 2000),
            new DeviceError("npu0", -5),
            new Drift(520, 700),
            new InputDistributionAnomaly(2, -900, 0, 100));
    List<SavedFallback> saved = new ArrayList<>();
    saved.add(
        new SavedFallback(
            FallbackScope.ofModel("m"), true, Optional.empty(), 7, 0, FallbackStep.NONE, true));
    for (FallbackReason reason : reasons) {
      saved.add(
          new SavedFallback(
              FallbackScope.ofGroup("m", "g" + saved.size()),
              false,
              Optional.of(reason),
              9_000_000_000L,
              5,
              FallbackStep.AUTO_DISABLED,
              false));
    }
    saved.add(
        new SavedFallback(
            FallbackScope.ofDevice("m", "npu0"),
            false,
            Optional.of(new HwTimeout("npu0", 1)),
            1,
            1,
            FallbackStep.WARNING,
            false));
    return new StoredSlot(
        Optional.of(new StoredModel(ONE, false)),
        Optional.of(new StoredModel(TWO, true)),
        Optional.empty(),
        Optional.of(new SerialMark(Long.MAX_VALUE, ONE)),
        Map.of("a file with blanks.islemodel", TWO),
        saved,
        Optional.of(new StoredJob(TWO, "start", -7, "a key\nof two lines\n")));
  }

  @Test
  void whatIsWrittenIsRead() {
    SlotStore store = new SlotStore(folder.resolve("models"));
    assertEquals(List.of(), store.slots());
    assertEquals(StoredSlot.EMPTY, store.read("m"));
    store.write("m", full());
    assertEquals(full(), store.read("m"));
    assertEquals(List.of("m"), store.slots());
  }

  @Test
  void filesWithoutUseAreDeleted() {
    SlotStore store = new SlotStore(folder);
    StoredModel one = new StoredModel(ONE, false);
    StoredModel two = new StoredModel(TWO, false);
    store.keep("m", ONE, new byte[] {1});
    store.keep("m", TWO, new byte[] {2});
    store.write(
        "m", StoredSlot.EMPTY.withModels(Optional.of(one), Optional.empty(), Optional.empty()));
    assertArrayEquals(new byte[] {1}, store.model("m", one, 10).orElseThrow());
    assertTrue(store.model("m", two, 10).isEmpty());
    assertEquals(
        Errno.EMSGSIZE,
        assertThrows(InferenceException.class, () -> store.model("m", one, 0)).code());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "isle-model-slot 2\n",
        "isle-model-slot 1\nserving\n",
        "isle-model-slot 1\nserving ../../etc signed\n",
        "isle-model-slot 1\nnewest x y\n",
        "isle-model-slot 1\nunknown\n",
        "isle-model-slot 1\njob x start 7 YQ==\n",
        "isle-model-slot 1\njob 1111111111111111111111111111111111111111111111111111111111111111"
            + " start 7\n",
        "isle-model-slot 1\njob 1111111111111111111111111111111111111111111111111111111111111111"
            + " start 7 ?\n",
        "isle-model-slot 1\nfallback g\n",
        "isle-model-slot 1\nfallback g - on free none -1 0 drift 1 2\n",
        "isle-model-slot 1\nfallback g - on free none 1 0 drift 1\n",
        "isle-model-slot 1\nfallback g - on free never 1 0 drift 1 2\n"
      })
  void aStateThatIsNotUnderstoodIsSetAside(String text) throws IOException {
    Files.createDirectories(folder.resolve("m"));
    Files.writeString(folder.resolve("m/state"), text);
    SlotStore store = new SlotStore(folder);
    assertEquals(StoredSlot.EMPTY, store.read("m"));
    assertEquals(text, Files.readString(folder.resolve("m/state.unreadable")));
    assertEquals(List.of(), store.slots());
  }
}
