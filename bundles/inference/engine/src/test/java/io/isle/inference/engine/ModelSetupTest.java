package io.isle.inference.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.inference.InferenceException;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.SetupResource;
import io.isle.api.observe.AuditEvent;
import io.isle.inference.engine.decide.TestPoint;
import io.isle.inference.engine.slot.ModelFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ModelSetupTest extends EngineWorld {
  private SetupResource job() throws IOException {
    Path file = file("a", ModelFiles.signed(point.spec(), 1, 10, ModelFiles.OTHER));
    Path key = Files.writeString(folder.resolve("k"), ModelFiles.OTHER.publicKey().text());
    return new SetupResource(
        "test_point", new ActionValues(Map.of("file", file.toString(), "key", key.toString())));
  }

  @Test
  void theModelOfAJobOutlivesTheEngineAndItsFiles() throws IOException {
    come();
    SetupResource resource = job();
    new ModelSetup(this).make(resource);
    assertEquals(new ModelSetup(this).pids(resource), files.files.keySet());
    Files.delete(folder.resolve("a"));
    Files.delete(folder.resolve("k"));
    restart();
    come();
    assertEquals(11, decide());
    assertTrue(engine.named("test_point").info().ofJob());
    engine.owners().removed(point);
    come();
    assertEquals(11, decide(), "the owner of the decision restarts");
    ModelSetup setup = new ModelSetup(this);
    setup.remove(new SetupResource(resource.name(), resource.values()));
    assertEquals(11, decide(), "an equal resource is another job's");
    setup.remove(resource);
    assertEquals(TestPoint.RULE, decide());
    assertEquals(Map.of(), files.files);
    restart();
    come();
    assertEquals(TestPoint.RULE, decide());
  }

  @Test
  void theModelOfAJobThatEndsWithoutTheEngineDoesNotComeBack() throws IOException {
    come();
    SetupResource resource = job();
    new ModelSetup(this).make(resource);
    engine.close();
    engine.owners().removed(point);
    // what jobs do for a kind of set-up that is not there
    files.files.clear();
    start();
    come();
    assertEquals(TestPoint.RULE, decide());
    new ModelSetup(this).remove(resource);
    assertEquals(List.of("model.job_begin"), audited.stream().map(AuditEvent::action).toList());
  }

  @Test
  void theModelOfAJobEndsWithThePlatform() throws IOException {
    come();
    new ModelSetup(this).make(job());
    platform = "second";
    restart();
    come();
    assertEquals(TestPoint.RULE, decide());
  }

  @Test
  void aJobHasAModelOfItsOwn() throws IOException {
    come();
    SetupResource resource = job();
    SetupResource other = new SetupResource(resource.name(), resource.values());
    ModelSetup setup = new ModelSetup(this);
    setup.make(resource);
    assertEquals(11, decide());
    assertEquals(
        Errno.EEXIST, assertThrows(InferenceException.class, () -> setup.make(other)).code());
    setup.remove(other);
    assertEquals(11, decide());
    setup.remove(resource);
    assertEquals(TestPoint.RULE, decide());
    assertEquals(
        List.of("model.job_begin", "model.job_begin", "model.job_end"),
        audited.stream().map(AuditEvent::action).toList());
    assertTrue(setup.check(new SetupResource("No", resource.values())).isPresent());
  }
}
