/* Pages on their way between device and CPU. */
#ifndef ISLE_SOFT_MIGRATE_H
#define ISLE_SOFT_MIGRATE_H

#include "soft.h"

IoResultCode soft_migrate_pages(void *ctx, AccelContextHandle context, const AccelMigrationEntry *pages, uint32_t count,
                                MigrationFlags flags);

#endif
