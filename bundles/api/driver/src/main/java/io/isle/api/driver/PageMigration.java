package io.isle.api.driver;

import java.util.List;

/**
 * Extension: moves pages between CPU and device memory, the Java form of migrate_pages (accelerator
 * framework, 42.2.2). Contents and mappings stay as they are; pages on the CPU's side leave room in
 * device memory. Control lane.
 */
public interface PageMigration {
  /** Most pages a call. */
  int MAX_PAGES = 1024;

  /** Moves although a page is pinned or hot. */
  int FORCE = 1 << 2;

  /** A hint: pages will be needed soon. */
  int PREFETCH = 1 << 4;

  /** Where a page lies. */
  enum Location {
    CPU,
    DEVICE
  }

  /**
   * Moves pages of one context.
   *
   * @param pages at most {@link #MAX_PAGES}
   * @param flags of {@link #FORCE} and {@link #PREFETCH}
   * @return for each page 0 or a negated code: -ENOENT no such memory of this context, -EINVAL not
   *     a page boundary inside it, -EBUSY pinned and not forced, -ENOMEM no room on the device; a
   *     page that is there already is 0
   * @throws DriverException EINVAL for a bad count or flag; ENOENT for an unknown context
   */
  List<Integer> migrate(long context, List<Page> pages, Location target, int flags);

  /**
   * A page of a memory object.
   *
   * @param memory core id
   * @param offset of the page's first byte from the object's start
   */
  record Page(long memory, long offset) {}
}
