package io.isle.core.accel.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.ProgramKind;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.core.accel.device.DeviceSearch.Candidate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeviceSearchTest {
  private static final DeviceQuery OPENCL = DeviceQuery.taking(ProgramKind.OPENCL_C);

  private static Candidate device(String id, int contexts, ProgramKind... kinds) {
    return new Candidate(
        new AcceleratorInfo(
            id,
            DeviceClass.GPU,
            2,
            1,
            1000,
            400,
            8,
            contexts,
            4096,
            "none",
            "priority",
            List.of(kinds),
            List.of("noop", "copy")),
        true,
        List.of());
  }

  private static Candidate recovering(Candidate device) {
    return new Candidate(device.info(), false, List.of());
  }

  private static DeviceNode node(String id, DeviceState state, String error) {
    return new DeviceNode(
        id,
        "soft",
        "",
        2,
        state,
        error,
        DeviceClass.GPU,
        Optional.empty(),
        1,
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        List.of(),
        List.of());
  }

  private static String best(DeviceQuery query, Candidate... all) {
    return DeviceSearch.best(query, List.of(all)).map(AcceleratorInfo::id).orElse("none");
  }

  private static String why(DeviceQuery query, Candidate... all) {
    return DeviceSearch.why(query, List.of(all), List.of());
  }

  @Test
  void fewestContextsThenTheFirst() {
    Candidate a = device("a0", 3, ProgramKind.OPENCL_C);
    Candidate b = device("b0", 1, ProgramKind.OPENCL_C);
    Candidate c = device("c0", 1, ProgramKind.OPENCL_C);
    assertEquals("b0", best(OPENCL, a, b, c));
    assertEquals("c0", best(OPENCL, a, c, b));
    assertEquals("a0", best(OPENCL, a, recovering(b)));
  }

  @Test
  void whatRecoversIsNoneYetUnlessItIsAskedForByItsId() {
    Candidate fits = recovering(device("a0", 3, ProgramKind.OPENCL_C));
    Candidate other = recovering(device("b0", 3, ProgramKind.BUILTIN));
    assertEquals("none", best(OPENCL, fits, other));
    assertTrue(DeviceSearch.mayCome(OPENCL, List.of(other, fits)));
    assertFalse(DeviceSearch.mayCome(OPENCL, List.of(other)));
    assertTrue(why(OPENCL, fits).endsWith("a0 recovers"), why(OPENCL, fits));
    assertEquals("a0", best(DeviceQuery.id("a0"), other, fits));
  }

  @Test
  void kindMemoryProgramsClassAndContextsMustFit() {
    Candidate builtin = device("a0", 0, ProgramKind.BUILTIN);
    Candidate both = device("b0", 7, ProgramKind.BUILTIN, ProgramKind.OPENCL_C);
    Candidate full = device("c0", 8, ProgramKind.BUILTIN, ProgramKind.OPENCL_C);
    assertEquals("b0", best(OPENCL, builtin, both, full));
    assertEquals("a0", best(DeviceQuery.ANY, builtin, both, full));
    assertEquals("b0", best(OPENCL.withMemory(600), both));
    assertEquals("none", best(OPENCL.withMemory(601), both));
    assertEquals("none", best(OPENCL, full));
    assertEquals("c0", best(DeviceQuery.id("c0"), builtin, full), "by id it is found");
    DeviceQuery programs =
        new DeviceQuery(
            Optional.empty(),
            Optional.of(DeviceClass.GPU),
            Set.of(),
            Set.of("noop", "copy"),
            0,
            Set.of());
    assertEquals("a0", best(programs, builtin));
    DeviceQuery missing =
        new DeviceQuery(
            Optional.empty(),
            Optional.of(DeviceClass.NPU),
            Set.of(),
            Set.of("noop", "x"),
            0,
            Set.of());
    assertEquals("none", best(missing, builtin));
  }

  @Test
  void whatRunsHandlersOnlyIsFoundByItsIdOrForHandlers() {
    Candidate hpus = device("a0", 0, ProgramKind.HANDLERS);
    Candidate other = device("b0", 7, ProgramKind.BUILTIN);
    assertEquals("b0", best(DeviceQuery.ANY, hpus, other));
    assertEquals("a0", best(DeviceQuery.taking(ProgramKind.HANDLERS), hpus, other));
    assertEquals("a0", best(DeviceQuery.id("a0"), hpus, other));
    assertTrue(why(DeviceQuery.ANY, hpus).endsWith("a0 runs handlers of packets only"));
  }

  @Test
  void everyDeviceHasItsReason() {
    Candidate builtin = device("a0", 0, ProgramKind.BUILTIN);
    Candidate none = device("b0", 0);
    Candidate full = device("c0", 8, ProgramKind.OPENCL_C);
    assertEquals(
        "no device fits opencl_c programs: a0 accepts no opencl_c programs (accepted: builtin);"
            + " b0 accepts no opencl_c programs (accepted: none); c0 has all of its 8 contexts in"
            + " use; d0 is failed (no; memory), run driver:reload d0; e0 is disabled",
        DeviceSearch.why(
            OPENCL,
            List.of(builtin, none, full),
            List.of(
                node("a0", DeviceState.ACTIVE, ""),
                node("d0", DeviceState.FAILED, "no\nmemory"),
                node("e0", DeviceState.DISABLED, ""))));
    DeviceQuery large = DeviceQuery.ANY.withMemory(700);
    assertTrue(why(large, builtin).contains("a0 has 600 bytes of memory free"));
    DeviceQuery copy =
        new DeviceQuery(Optional.empty(), Optional.empty(), Set.of(), Set.of("sum"), 0, Set.of());
    assertTrue(why(copy, builtin).endsWith("a0 lacks program sum (its programs: noop, copy)"));
    DeviceQuery npu =
        new DeviceQuery(
            Optional.empty(), Optional.of(DeviceClass.NPU), Set.of(), Set.of(), 0, Set.of());
    assertTrue(why(npu, builtin).endsWith("class npu: a0 is of class gpu"));
  }

  @Test
  void aGroupFindsTheDevicesThatItMayUse() {
    Candidate free = device("a0", 0, ProgramKind.BUILTIN);
    Candidate barred = new Candidate(free.info(), true, List.of("team-a"));
    Candidate other = device("b0", 3, ProgramKind.BUILTIN);
    DeviceQuery query = DeviceQuery.ANY.withGroups("team-a");
    assertEquals("b0", best(query, barred, other));
    assertEquals("none", best(query, barred));
    assertEquals("no device fits group team-a: a0 is closed to group team-a", why(query, barred));
    assertFalse(
        DeviceSearch.mayCome(query, List.of(new Candidate(free.info(), false, List.of("team-a")))));
    assertEquals("a0", best(DeviceQuery.id("a0").withGroups("team-a"), barred), "opening says so");
  }

  @Test
  void anIdThatThereIsNotNamesThoseThatThereAre() {
    assertEquals(
        "no device fits id z9: the devices are a0, d0",
        DeviceSearch.why(
            DeviceQuery.id("z9"),
            List.of(device("a0", 0)),
            List.of(node("d0", DeviceState.ACTIVE, ""))));
    assertTrue(why(DeviceQuery.ANY).endsWith("this node has no devices; see device:list"));
  }
}
