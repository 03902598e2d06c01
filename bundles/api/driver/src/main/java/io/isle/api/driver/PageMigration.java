package io.isle.api.driver;

import java.util.List;

/**
 * Extension: moves pages between CPU and device memory, the Java form of migrate_pages (accelerator
 * framework, 42.2.2). Contents and mappings stay unchanged; pages in CPU memory free room in device
 * memory. Control lane.
 */
public interface PageMigration {
  /** Largest number of pages of a call. */
  int MAX_PAGES = 1024;

  /** Flag: move pinned and hot pages, too. */
  int FORCE = 1 << 2;

  /** Flag, a hint: the pages will be needed soon. */
  int PREFETCH = 1 << 4;

  /** Location of a page. */
  enum Location {
    /** In CPU memory. */
    CPU,
    /** In device memory. */
    DEVICE
  }

  /**
   * Moves pages of one context.
   *
   * @param pages at most {@link #MAX_PAGES}
   * @param flags bit set of {@link #FORCE} and {@link #PREFETCH}
   * @return for each page 0 or a negated code: -ENOENT no such memory of this context, -EINVAL not
   *     a page boundary inside the memory, -EBUSY pinned without force, -ENOMEM no room on the
   *     device; 0 also for a page that is already at the target
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
