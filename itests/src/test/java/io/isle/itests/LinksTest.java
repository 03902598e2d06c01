package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every link of the documentation leads somewhere, anchors too. */
class LinksTest {
  @TempDir Path folder;

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    Links links = Links.of(Path.of(".."));
    // What becomes a page of the SDK is looked at there.
    List<String> dead =
        links.dead().stream().filter(link -> !link.startsWith("bundles/sdk/files/")).toList();
    assertEquals(List.of(), dead);
    assertTrue(links.followed() > 100, () -> "only " + links.followed() + " links are found");
  }

  @Test
  void deadLinksAreFound() throws IOException {
    Path docs = Files.createDirectory(folder.resolve("docs"));
    Files.writeString(folder.resolve("out.md"), "# Out");
    Files.writeString(
        docs.resolve("a.md"),
        """
        # The `first` page, at last

        [b](b.md) [b](b.md#two-2) [b](b.md#two-3) [here](#the-first-page-at-last) [no](#first)
        [out](../out.md) [gone](../gone.md) [far](../../far.md) [web](https://example.org/#x)
        `[code](none.md)`

            [code](none.md)

        [b again]: b.md#none
        """);
    Files.writeString(docs.resolve("b.md"), "# Two\n\n## Two\n\n## Two\n");
    Links links = Links.of(folder);
    assertEquals(
        List.of("b.md#two-3", "#first", "../gone.md", "../../far.md", "b.md#none"),
        links.dead().stream().map(dead -> dead.replace("docs/a.md: ", "")).toList());
    assertEquals(
        List.of("../out.md"),
        Links.of(docs).dead().stream()
            .filter(d -> d.endsWith("out.md"))
            .map(d -> d.replace("a.md: ", ""))
            .toList());
  }
}
